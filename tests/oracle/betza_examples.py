"""Examples from the specification of Betza, with boards and squares, for the walker's tests."""

from .betza_walker import Board

Squares = frozenset[tuple[int, int]]


def squares(text: str) -> Squares:
    pairs = (word.split(",") for word in text.split())
    return frozenset((int(x), int(y)) for x, y in pairs)


def board(pieces: str = "", *, unmoved: bool = False, king: bool = True, trail: str = "") -> Board:
    """15x15, the mover in the centre, and pieces such as `0,3e 2,2k -7,0r`."""

    def of(side: str) -> Squares:
        return squares(" ".join(word[:-1] for word in pieces.split() if word[-1] == side))

    return Board(
        width=15,
        height=15,
        at=(7, 7),
        enemies=of("e"),
        friends=of("o"),
        royals=of("k"),
        unmoved_friends=of("r"),
        unmoved=unmoved,
        is_king=king,
        trail=squares(trail),
    )


KNIGHT = "-1,2 1,2 -2,1 2,1 -2,-1 2,-1 -1,-2 1,-2"
FERZ = "-1,1 1,1 -1,-1 1,-1"
WAZIR = "0,1 -1,0 1,0 0,-1"
KING = f"{WAZIR} {FERZ}"


def line(dx: int, dy: int, first: int = 1, last: int = 7) -> str:
    return " ".join(f"{dx * step},{dy * step}" for step in range(first, last + 1))


def turned(offsets: str) -> str:
    """The offsets and their three quarter turns."""
    found = squares(offsets)
    for _ in range(3):
        found |= {(y, -x) for x, y in found}
    return " ".join(f"{x},{y}" for x, y in found)


def both_sides(offsets: str) -> str:
    return offsets + " " + " ".join(f"{-x},{y}" for x, y in squares(offsets))


EXAMPLES = [
    # atoms and ranges
    ("", "", ""),
    (" fW ", "", "0,1"),
    ("fmWfcF", "", "0,1"),
    ("(4,1)", "", both_sides(turned("1,4"))),
    ("(1,4)", "", both_sides(turned("1,4"))),
    ("(2,1)", "", KNIGHT),
    ("(0,2)", "", turned("0,2")),
    ("WX", "", turned("0,4")),
    ("FX", "", both_sides(turned("1,4"))),
    ("AX", "", both_sides(turned("2,5"))),
    ("NY", "", both_sides(turned("3,4"))),
    ("AY", "", turned("4,4")),
    ("HY", "", both_sides(turned("2,5"))),
    ("FXX", "", both_sides(turned("1,7"))),
    ("R1", "", WAZIR),
    ("W3", "", turned(line(0, 1, 1, 3))),
    ("ffNN", "", "-1,2 1,2 -2,4 2,4 -3,6 3,6"),
    ("fD2", "0,1e 0,3e", "0,2 0,4"),
    ("fpR3", "0,2e", "0,3"),
    ("fpR3", "0,1e", "0,2 0,3"),
    # directions
    ("frW", "", "0,1 1,0"),
    ("blW", "", "-1,0 0,-1"),
    ("lrW", "", "-1,0 1,0"),
    ("fsW", "", "0,1 -1,0 1,0"),
    ("bsW", "", "-1,0 1,0 0,-1"),
    ("lvW", "", "0,1 -1,0 0,-1"),
    ("rvW", "", "0,1 1,0 0,-1"),
    ("vsW", "", WAZIR),
    ("fvW", "", "0,1 0,-1"),
    ("ffW", "", "0,1"),
    ("FfrlW", "", f"{FERZ} 0,1 -1,0 1,0"),
    ("fsF", "", "-1,1 1,1"),
    ("flF", "", "-1,1"),
    ("lfF", "", "-1,1"),
    ("fhF", "", "-1,1 1,1"),
    ("lvF", "", "-1,1 -1,-1"),
    ("flbrF", "", "-1,1 1,-1"),
    ("fbNF", "", f"-1,2 1,2 -1,-2 1,-2 {FERZ}"),
    ("ffNbsN", "", "-1,2 1,2 -2,-1 2,-1"),
    ("fflN", "", "-1,2 1,2 -2,1 -2,-1"),
    ("fN", "", "-1,2 1,2"),
    ("lfN", "", "-1,2"),
    ("rbN", "", "1,-2"),
    ("lhN", "", "-1,2 -2,1 -2,-1 -1,-2"),
    ("rhN", "", "1,2 2,1 2,-1 1,-2"),
    ("hlN", "", "-1,2 2,1 -2,-1 1,-2"),
    ("hrN", "", "1,2 2,-1 -1,-2 -2,1"),
    ("ffsK", "", "0,1 -1,0 1,0"),
    ("fhK", "", "0,1 -1,1 1,1"),
    ("lvK", "", "-1,1 -1,-1"),
    ("frlR", "", f"{line(0, 1)} {line(1, 0)} {line(-1, 0)}"),
    ("fmrF", "", "-1,1 1,1 1,-1"),
    ("mfW", "", "0,1"),
    ("RlLrN", "", f"{turned(line(0, 1))} -3,1 -3,-1 2,1 2,-1"),
    ("B5R4", "", turned(f"{line(0, 1, 1, 4)} {line(1, 1, 1, 5)}")),
    ("Q4B5", "", turned(f"{line(0, 1, 1, 4)} {line(1, 1, 1, 5)}")),
    # modality
    ("dW", "0,1o", "0,1"),
    ("fmRfcpR", "0,2o 0,5e", "0,1 0,5"),
    ("gQ", "0,3e", "0,4"),
    ("gR3", "0,1e", "0,2"),
    ("nN", "0,1o", "-2,1 2,1 -2,-1 2,-1 -1,-2 1,-2"),
    ("nH", "0,2e", "-3,0 3,0 0,-3"),
    ("fnC", "0,1e", ""),
    ("fnC", "0,2e", ""),
    ("fnC", "1,2e", "-1,3 1,3"),
    ("ffnZ", "1,1e", "-2,3 2,3"),
    ("ffnZ", "1,2e", "-2,3"),
    ("ffnZ", "0,1e", ""),
    ("fnN0", "0,1e", ""),
    ("fnN0", "1,3e", "1,2 -1,2 -2,4 -3,6"),
    ("fnR", "", line(0, 1)),
    ("jR3", "", turned(line(0, 1, 2, 3))),
    ("jR", "0,1e", turned(line(0, 1, 2))),
    ("jH", "0,1e", ""),
    ("jH", "0,1e 0,2o", "0,3"),
    # chains
    ("aW", "", f"{KNIGHT} {turned('0,2')} {turned('1,1')} {WAZIR}"),
    ("aK", "", turned("0,1 1,1 0,2 1,2 2,2 -1,2")),
    ("hrarfN", "", turned("3,3")),
    (
        "fyafsF",
        "",
        f"{both_sides(line(1, 0, 2)).replace(',0', ',1')} "
        + both_sides(" ".join(f"1,{y}" for y in range(2, 8))),
    ),
    ("gafR", "0,3e", "0,4"),
    ("fafsW", "", "-1,2 1,2"),
    ("afsW", "0,1e", "-2,1 2,1 -2,-1 2,-1 -1,-2 1,-2"),
    ("afsF", "1,1e", "-1,2 -2,1 -2,-1 2,-1 -1,-2 1,-2"),
    ("afsK", "0,1e", KNIGHT),
    ("mafsmafW", "", both_sides(turned("2,3"))),
    ("mpafW", "0,1e", turned("0,2")),
    ("pafW", "0,1e", "0,2"),
    ("KNADcaKmcabK", "", "0,0 " + turned("0,1 1,1 0,2 1,2 2,2 -1,2")),
    ("mcabK", "", "0,0"),
    ("cabmabmW", "0,1e", ""),
    # brackets
    ("f[mF?R]", "1,1e -1,1e", ""),
    ("f[F?R]", "1,1e -1,1e", "-1,1 1,1"),
    ("[N-R]", "", both_sides(turned(" ".join(f"1,{y}" for y in range(3, 8))))),
    ("[N-B]", "", both_sides(turned("2,3 3,4 4,5 5,6 6,7"))),
    ("[N-N]", "", both_sides(turned("2,4"))),
    ("[W-F]", "0,1o", "-2,1 2,1 -2,-1 2,-1 -1,-2 1,-2"),
    ("[F-W]", "1,1o", "-1,2 -2,1 -2,-1 2,-1 -1,-2 1,-2"),
    ("[F-F]", "1,1o", "-2,2 2,-2 -2,-2"),
    ("[F-B]", "", turned(line(1, 1, 2))),
    (
        "[W-R]",
        "0,1e",
        "-2,0 -3,0 -4,0 -5,0 -6,0 -7,0 2,0 3,0 4,0 5,0 6,0 7,0 0,-2 0,-3 0,-4 0,-5 0,-6 0,-7",
    ),
    ("fr[W?B]", "", "1,0 2,1 3,2 4,3 5,4 6,5 7,6"),
    ("f[cK-bK]", "0,1e 1,1e 1,0e", "0,0"),
    ("f[cK-bK]", "1,1e 1,0e", ""),
    ("i[F?R]", "", ""),
    ("(af)F", "", turned(line(1, 1))),
    ("(afmpaf)F", "", turned("1,1 3,3 5,5 7,7")),
    ("(af)2W", "", turned(line(0, 1, 1, 3))),
    ("f(af)2W", "0,2e", "0,1 0,2"),
    # crooked and circular
    ("zF2", "", f"{FERZ} {turned('0,2')}"),
    ("[W-fsF-zfsW]", "", both_sides(turned("1,3"))),
    # castling
    ("isO2", "-7,0r 7,0r", ""),
]


SAME = [
    ("L", "C"),
    ("J", "Z"),
    ("RR", "R"),
    ("QQ", "Q"),
    ("(4,1)0", "(1,4)0"),
    ("(2,1)", "N"),
    ("fmrF", "fmFrmF"),
    ("mfW", "fmW"),
    ("FyafsF", "[F?R]"),
    ("FyafsF", "FtR"),
    ("WFtR", "W[F?R]"),
    ("t[FR]", "[F?R]"),
    ("FtRtB", "[F?R?B]"),
    ("t[FRB]", "[F?R?B]"),
    ("yafsF", "[F-R]"),
    ("WyafsW", "[W?B]"),
    ("afsW", "[W-F]"),
    ("afsF", "[F-W]"),
    ("WafsW", "[W?F]"),
    ("mafF", "[F-F]"),
    ("WyasW", "[W?sR]"),
    ("RasR", "[R?sR]"),
    ("BasB", "[B?sB]"),
    ("KyafsK", "[K?fsQ]"),
    ("yafF", "[F-B]"),
    ("yafW", "[W-R]"),
    ("[cR-ibR]", "caibR"),
    ("[cW-bW]", "cabW"),
    ("(az)F", "zB"),
    ("zF", "zB"),
    ("zW", "zR"),
    ("(aq)N", "qN"),
    ("(af)F", "B"),
]


COUNTS = [
    ("jR", 24),
    ("aW", 20),
    ("aK", 24),
    ("FyafsF", 52),
    ("[F-R]", 48),
    ("[W?B]", 52),
    ("[W?F]", 12),
    ("[K?fsQ]", 96),
    ("v[F?R]", 28),
    ("zB", 40),
    ("zR", 80),
    ("qN", 32),
    ("zN", 44),
    ("qB", 32),
    ("qR", 32),
    ("RlLrN", 32),
    ("RlhLrhN", 36),
    ("B5R4", 36),
    ("U", 224),
]


REFUSALS = """
    P EW N& wW Kn W03 W100 WW2 KK N[3-5] fhW vhN shN hN sfK fvN lsK vfF mmW pW gN nW jK jW jF nafsW
    pnR gnR pjR njD zpR qoR zqR yW mcafW2 afNN afW0 tR Ft[RB] FttR [fF?R [F-fR] [K-sR] [W?fsR] [F?]
    [R] [] [F?R]2 [pR?B] [gR-B] [yF-R] [aF-R] [F?RtB] [[F-R]-B] (R-sR) (4,1)(4,1) (0,0) (100,1) KX
    QY RX UX O O0 O* fO2 hO2 cuaK I xW @ jjR m[F?R] [iF?R] [(af)F-R] [qN-R] zafW (fa)W (af ()F
    (a(af))F (af)F2 (ayf)F [W-fN] [N-fR] iiiW caiibR fR[ sR* R* f -W UU [W-U] f[W*-R] [R-B*] t[F-R]
    t[F] t[FF] v[W-F?N-lR-sR mafyW aafF3 iafiW
"""
