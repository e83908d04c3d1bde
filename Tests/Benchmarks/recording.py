"""Lines of recordings, and the month that is replayed."""
import os
import subprocess


class Month:
    """A generated recording of a 1 Hz oximeter in files of a directory."""

    def __init__(self, binaries, directory, days):
        self.gattlog = os.path.join(directory, "month.gattlog")
        self.csv = os.path.join(directory, "month.csv")
        self.days = days
        self.first = None
        generator = os.path.join(binaries, "gattlog-generator")
        with open(self.gattlog, "wb") as file:
            subprocess.run([generator, "oximeter", "--days", str(days)], stdout=file, check=True)
        self.packets = self._write_csv()

    def _write_csv(self):
        """The packets once more as rows of stream, at and octets; how many there are."""
        count = 0
        with open(self.gattlog) as source, open(self.csv, "w") as table:
            for line in source:
                fields = line.split('"')
                if '"2a5f"' in line:
                    self.first = self.first or fields[3]
                    table.write(f"1,{fields[3]},{fields[-2]}\n")
                    count += 1
        return count


def packet(device, milliseconds, number):
    """A line with a packet of 2A5F, so many ms after the beginning of 2027."""
    seconds, rest = divmod(milliseconds, 1000)
    minutes, second = divmod(seconds, 60)
    hours, minute = divmod(minutes, 60)
    day, hour = divmod(hours, 24)
    time = f"2027-01-{day + 1:02}T{hour:02}:{minute:02}:{second:02}.{rest:03}Z"
    return (
        f'{{"at":"{time}","event":"notify","device":"{device}","service":"1822",'
        f'"characteristic":"2a5f","value":"00{90 + number % 10:02x}00{60 + number % 9:02x}00"}}\n')
