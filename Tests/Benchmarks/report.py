"""A table of what was measured, in Markdown."""
import os


def quantile(values, share):
    """The value that a share of all does not exceed, by nearest rank."""
    ordered = sorted(values)
    return ordered[max(0, -int(-share * len(ordered) // 1) - 1)]


class Report:
    """Rows that are printed as they come."""

    def __init__(self):
        cores = os.cpu_count()
        print(f"{cores} cores, load {os.getloadavg()[0]:.1f} at the beginning\n")
        self._print("what", "measured", "target", "beside it", "")
        self._print("---", "---", "---", "---", "---")

    def row(self, what, measured, target, beside, passed):
        """Prints one measurement."""
        self._print(what, measured, target, beside, "PASS" if passed else "MISS")

    @staticmethod
    def _print(*cells):
        print("| " + " | ".join(cells) + " |", flush=True)
