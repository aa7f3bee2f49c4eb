"""[Saha]: serial, parallel and closed chains; Tables 1, 2 and 5, Figs. 6 to 9, 12 to 14 and 20.

counts     Tables 1 and 2, and the complexity of section 4, counted
serial     PUMA and Stanford arm, section 2.5
matrices   N_l, N_d, W, E, C of the PUMA
five_bar   section 3.5, with N_l N_c N_d
scraper    section 4.4, and the cuts of the four-bar of section 4.1
"""

from __future__ import annotations

from ..report import Misprint, Report
from . import counts, five_bar, matrices, scraper, serial


def report() -> Report:
    return Report(
        "saha",
        "Saha: recursive dynamics of serial, parallel and closed chains",
        (
            counts.inverse_table(),
            counts.forward_table(),
            *serial.tables(),
            *matrices.tables(),
            *five_bar.tables(),
            *scraper.tables(),
            counts.solving_table(),
        ),
        tuple(Misprint(*row) for row in counts.printed("misprints")),
        (*serial.figures(), *five_bar.figures(), *scraper.figures()),
    )
