"""``petree demo``."""


def demo() -> None:
    """Learn two small trees, print and measure them; needs no file and no network.

    Example:

    `petree demo`
    """
    from petree.demo import run

    run()
