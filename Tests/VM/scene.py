"""Scenes: what is played, in the order in which it was written down."""

SCENES = []


def scene(title):
    """Marks a function as a scene, which plays in a world."""
    def mark(function):
        function.title = title
        SCENES.append(function)
        return function
    return mark
