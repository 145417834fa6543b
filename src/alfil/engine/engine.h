/* The engine of alfil: what a game's tables and a position are, and what may be asked of them.

   Whoever calls owns all memory: the functions allocate nothing and keep nothing, so that one
   game's `Tables` may serve many threads at once, each with a `Position` of its own. Nothing here
   knows a game or a piece; src/alfil/game/arrays.py lays both structs out. Each struct is whole
   numbers, then arrays, in the order of src/alfil/game/structs.py.

   A square is rank × files + file, and the number of squares stands for none, as for where a drop
   comes from. A piece is 1 + 2 × kind + side, and 0 is none; a wall is the piece with the number
   `pieces`, on nobody's list. A list is the place in `pool` of a count, with so many numbers behind
   it; place 0 is no list, and reads as an empty one. Functions that say whether something holds
   answer 0 or not 0. */

#ifndef ALFIL_ENGINE_H
#define ALFIL_ENGINE_H

#include <stddef.h>
#include <stdint.h>

#ifdef _WIN32
#define ENGINE_API __declspec(dllexport)
#else
#define ENGINE_API __attribute__((visibility("default")))
#endif

/* A node of a move table, cut to one square, is a word of 64 bits:

       classes << 28 | nodes to skip << 11 | target

   with four bits for each class of what stands on the target: the number of forms in which the
   piece may end there, and whether the path goes on. `shift` of a position holds for every square
   how far a word is to be shifted for the class of what stands there. */
#define SQUARE 2047
#define SKIP_AT 11
#define SKIPS 131071
#define FORMS 7
#define ON 8

/* The shifts of the nine classes. Some pieces neither pass nor take the last two. */
enum {
    VACANT = 28,
    FIRST = 32,
    FIRST_ROYAL = 36,
    SECOND = 40,
    SECOND_ROYAL = 44,
    PASSED = 48,
    WALLED = 52,
    FIRST_APART = 56,
    SECOND_APART = 60,
};

/* How many classes those are. */
#define CLASSES 9

/* What explosions and captures do to a piece. */
enum { TAKEN_ALONG = 1, PERISHING = 2, PETRIFYING = 4 };
/* How walls are built, and what turns over. */
enum { ARROW = 1, ANYWHERE, LEFT, DUCK };
enum { ADJACENT = 1, ENCLOSED };
/* What limits drops besides ranks and files. */
enum { CHECKING = 1, QUIETLY = 2, IN_PLACE = 4, ON_COLOUR = 8 };
/* Royals that lose the game with any of them, and with the last one. */
enum { ANY = 1, LAST };
/* What an effect of a piece does to what is in its range: it burns that where it ends, what comes
   there perishes, what is there does not move. */
enum { BURNS = 1, SINGES = 2, FREEZES = 4 };
/* Or it holds pieces one by one: those in range when it moves there, and those that come there. */
enum { SEIZES = 8, CATCHES = 16 };
/* Conditions of a part: so many moves made, every so many, and every so many turns of its side. */
enum { MOVES_MADE = 1, EVERY, TURN };
/* Counts of the moves of a piece that are not known, or 0 since it was dropped at its start. */
enum { UNKNOWN = -1, DROPPED = -2 };
/* Why a move of a piece, or a drop, is not legal, in the order in which that is looked for. Behind
   `REASONS` stands the square of what is told of one. */
enum {
    LEGAL,
    FULL_FILE,
    DROP_CHECK,
    DROP_MATE,
    DROP_PLACE,
    DROP_COLOUR,
    NO_FORM,      /* there are as many already of what it promotes to as there may be */
    ROYAL_TAKEN,  /* by its own capture */
    FLIGHT,       /* a royal in check may not go away */
    FACING,       /* royals face each other, which must end */
    GIVING_CHECK, /* that is barred */
    IN_CHECK,     /* nothing castles out of check, */
    CROSSING,     /* nor over a square where it could be captured */
    SELF_CHECK,   /* its side's royal could be captured then */
    NO_SHIELD,    /* what is left behind neither ends a check nor shields a royal */
    NO_WALL,      /* it must build one, and cannot */
};
#define REASONS 8
/* What `could_go` answers of a piece: it goes there, it captures on a square as it does, it castles
   there. */
enum { GOES = 1, TAKES = 2, CASTLES = 4 };
/* What is said instead of a number of a cell where all is too much work. */
#define ENDLESS 2147483647
/* Flags of a move. From `EXTRA` on stands what it builds or leaves: square + 1 of a wall, or
   2 × (kind + 1) of what comes from the hand, and 1 more where a castling partner leaves it. */
enum { PASSANT = 1, CHANGING = 2, EXTRA = 2 };
/* An end of the game that is neither won, 1, nor lost, -1. */
enum { DRAW = 2 };

/* Some nodes of a piece on a square, and when they count. */
typedef struct {
    int32_t holds;     /* list of conditions: kind, number */
    int32_t steps;     /* of castling: how far the piece goes, 0 where it is none */
    int32_t inset;     /* and how far from the edge its partner stands */
    int32_t from;      /* the first node */
    int32_t until;     /* the node after the last */
    int32_t unchecked; /* whether it is not made in check */
    int32_t roams;     /* where its automaton is in `pool`, or 0: see src/alfil/engine/roaming.c */
} Part;

/* A path of a piece that roams as far as it has come: its state and square, where a leg on a board
   that wraps began, the chains of what it has captured and, if that matters, passed, and where `met`
   has it. */
typedef struct {
    int32_t state, square, origin, taken, passed, slot;
} Way;

/* A chain of squares: its last one, the chain before, the first one that follows this one and the
   next that follows the one before, how long it is, and the number of the trail that it is, or 0. */
typedef struct {
    int32_t square, before, first, next, length, trail;
} Link;

/* A piece on a square. */
typedef struct {
    int32_t begin, end; /* its nodes without conditions; 0 before it is laid out */
    int32_t parts;      /* a list of parts */
    int32_t row;        /* its place in `aims` */
} Cell;

/* A game. Pieces on squares are laid out when the engine first asks for them (layout.c); what is
   laid out stays where and as it is. */
typedef struct {
    int32_t size;   /* squares */
    int32_t pieces; /* one more than the highest number of a piece */
    int32_t files;
    int32_t kinds;
    int32_t words; /* of 32 bits in a set of squares */
    /* Whether a kind is limited on a file, a piece goes over others, a drop may not mate, a form is
       put down from two kinds, and not all pieces may capture all others. */
    int32_t limited, hopping, mating, two_kinds, iron;
    /* Whether pieces leave trails where others go over pieces; a node that captures nothing. */
    int32_t leaving, nothing;
    /* Rules of few games: whether moves change more than what goes and what is captured, captures
       explode; how walls are built, what turns over; whether pieces are left behind from the hand,
       dropped from no hand, or dropped before all else. */
    int32_t effects, exploding, walling, turning, gating, endless, setting;
    /* Whether check is no matter, captures must be made, royals may face each other, no check may
       be given, a royal in check may not go away, check to all royals counts, drops touch their own
       side, and whoever has no other move passes. */
    int32_t lenient, take_first, meeting, still, standing_fast, duple, beside_own, stuck_passes;
    int32_t extinction; /* list that `extinct` reads, 0 where pieces may run out */
    int32_t en_route;   /* whether pieces capture en passant before their last square */
    int32_t holding;    /* whether pieces hold others one by one */
    int32_t burning;    /* whether pieces burn or shoot others */
    int32_t round;      /* after how many turns of a side the same moves are due again */
    /* Whether pieces roam; how many ways and chains there may be, how many ways are followed for one
       list, how many moves that capture on their way one walk may find, and how long `ends` and
       `burdens` are. */
    int32_t roaming, most_ways, most_walked, most_burdened, most_ends, most_burdens;
    int32_t bodies;  /* whether pieces take up several squares: see src/alfil/engine/bodies.c */
    int32_t veiling; /* whether pieces see other things on squares than stand there: see `veil` */

    const uint64_t *nodes; /* by node: its word */
    /* By node: lists of forms without and with a capture, what is captured on the way (the number of
       squares for what has just passed), a number for that set, what is passed, and whether it
       captures en passant. */
    const int32_t *quiet, *taking, *taken, *company, *trailing, *passing;
    Cell *cells; /* by piece × size + square */
    /* By piece × size + square: a list of where the piece aims there from, or 0. */
    int32_t *sources;
    const int32_t *aims; /* by row × size + target: list of branches (first node, node after) that
                            may capture a royal there */
    uint8_t *near; /* by (piece × size + square) × size + royal's square: see `SOUGHT` */
    /* By piece: its shift, its kind + 1 in the captor's hand (0 for none), its limit on a file;
       whether it or a form has one; whether its moves need more than a walk, capture several or at
       home, or come twice; whether it goes over pieces, has lines, captures en passant, how many of
       its moves are remembered, how it is royal, whether it passes where it stays. */
    const int32_t *shift, *held, *limit, *crowds, *odd, *special, *twins, *hops, *lines;
    const int32_t *passes, *remembered, *royal, *stays;
    const int32_t *seen;   /* by piece × CLASSES + class: what it calls what stands on a square
                              where it roams; or NULL */
    const int32_t *barred; /* by piece × (pieces + 1) + other: whether it may not capture that */
    /* By piece: limit on a file for drops, what else limits them, whether they may not mate. */
    const int32_t *drop_limit, *drop_check, *drop_mate;
    const int32_t *droppable; /* by side: list of kind, piece */
    /* By piece: what captures do to it, whether it leaves pieces behind, how many of it others may
       turn into (or NULL), how it castles to files (list: left, right, partners; or NULL), and with
       which pieces alone it castles (list; or NULL). */
    const int32_t *blast, *gates, *side_limit, *castling, *only_with;
    /* By piece: what it becomes by moves of their own (list; or NULL); by piece × size + square:
       whether it may do so there though it is not the only one of its side. */
    const int32_t *apart, *ripe;
    /* By piece: the squares that it takes up, counted from its own (list); how many files and ranks
       more than one; by piece × CLASSES + class: of several things in its way, what comes first. */
    const int32_t *body, *wide, *high, *foremost;
    const int32_t *blocked; /* by piece: what it neither passes nor takes, where `veil` tells it
                               that (list; or NULL) */
    const int32_t *ranges; /* by piece × size + square: list of effects (what it does, first node,
                              node after, how many it holds or 0 for all), whose nodes capture
                              what is in range; or NULL */
    const int32_t *may_wall, *opens; /* by side × size + square */
    /* By square: its file, what stands there at the start, whether it is a hole, its neighbours
       (list), its eight rays (lists). */
    const int32_t *file_of, *starts, *holes, *around, *rays;
    /* By kind: how many are dropped on a colour, and whether it is dropped from no hand. */
    const int32_t *colour_limit, *unheld;
    const int32_t *pool; /* all lists */
    const int32_t *trails; /* by number: lists of squares that pieces pass as they roam; or NULL */
    const uint32_t *drop_squares; /* by piece × words: a set of squares */
    const uint32_t *file_squares; /* by file × words: a set of squares */
    const void *lay;              /* a function that lays out; a module has it from its host */
} Tables;

typedef struct {
    int32_t origin; /* the number of squares for a drop */
    int32_t target;
    int32_t becomes;
    int32_t node;    /* of a drop the kind */
    int32_t partner; /* castling partner's origin × 2048 + target + 1, or 0 */
    int32_t flags;
} Move;

/* A position, with room to work in. */
typedef struct {
    int32_t side;      /* to move: 0 or 1 */
    int32_t counts[2]; /* pieces of each side */
    int32_t royals[2]; /* where each side's royal stands, where `careful` is 0 */
    /* Whether there is not just one royal of each side: moves are judged one by one then. */
    int32_t careful;
    int32_t trail; /* list of squares that the last move passed, and where it ended */
    int32_t victim;
    int32_t stamp;  /* what marks are written with */
    int32_t undone; /* numbers in use of `undo` */
    int32_t number; /* of the move to be made, both sides' counted */
    /* What `danger` found: how many checks, the last one, whether a piece near goes over others,
       lengths of `near` and `beside`, and whether royals face each other. */
    int32_t checks, checker, check_from, check_until, hopped, nears, besides, faced;
    int32_t noted; /* length of `nodes` */
    /* Of what src/alfil/engine/differences.c counts once. */
    int32_t royal_moves, caution;
    int32_t fault; /* why no move that is written now is legal */
    int32_t ended, burdened; /* numbers in use of `ends` and of `burdens` */
    int32_t failed; /* whether a walk found more than can be listed, since `danger` */
    int32_t walked; /* how many ways were followed since */
    int32_t veiled; /* whether `shift` is as some piece sees it; how it is else is in `plain` */

    int32_t *board;         /* by square */
    int32_t *lists;         /* by side × size: squares of its pieces */
    int32_t *places;        /* by square: where it stands in that list */
    int32_t *hands;         /* by side × kinds + kind */
    int32_t *on_file;       /* by piece × files + file */
    int32_t *made;          /* by square: how many moves its piece has made */
    int32_t *near, *beside; /* enemies that aim at the royal, and at squares beside it */
    int32_t *nodes;         /* of one piece */
    int32_t *order;         /* pieces in their order */
    int32_t *spots;         /* squares to work with */
    int32_t *anchor; /* by square: the own square of the piece there, where pieces have bodies */
    int32_t *prey;   /* own squares of what a move captures, likewise */
    int32_t *holds; /* how many numbers follow: squares of what holds and what it holds */
    int32_t *undo;
    int32_t *marks;     /* by square */
    uint8_t *shift;     /* by square: see `SQUARE` */
    uint8_t *plain;
    uint32_t *occupied; /* a set of squares */
    Move *moves;        /* lists of moves, one behind the other */
    /* By place in the list: why that move is not legal; NULL where only legal ones are listed. */
    int32_t *reasons;
    /* Where pieces roam: nodes of moves found, those that capture on their way, and room to walk in:
       ways, by their hash where they are (twice as many), and chains. */
    int32_t *ends, *burdens;
    Way *ways;
    int32_t *met;
    Link *links;
} Position;

/* What a search for the best move goes by and learns; all scores are the mover's. */
typedef struct {
    int64_t visited, allowed; /* positions: how many were looked at, and how many may be */
    int64_t last_entry;       /* one less than the number of entries, a power of 2 */

    int32_t checks_win; /* so many checks win, 0 for none */
    int32_t bare;       /* whether a bare royal loses */
    /* What having no move means (1 wins, -1 loses, or `FEWER_WIN`, `MORE_WIN`), and in check. */
    int32_t stuck, mated;
    int32_t repeated, perpetual; /* what repetitions mean: `DRAWN` and so on; and perpetual check */
    int32_t tempo;               /* what it is worth to be on the move */
    int32_t late_goals;          /* 0, `NEXT_TURN` or `LAST_REPLY` */
    int32_t score, reached;      /* what was found so far, and how many moves ahead */
    int32_t past;                /* how many positions of the game stand first in the line */
    int32_t odds;                /* who wins a draw: 0, `FIRST_WINS` and so on */
    int32_t first_odds, second_odds; /* the points that the sides have besides their pieces */
    volatile int32_t halt;       /* set by anybody to end the search */

    const int32_t *worth, *goals; /* by piece × size + square; goals may be NULL */
    const int32_t *in_hand;       /* by kind */
    const int32_t *points;        /* by piece, where `odds` asks; or NULL */
    /* Dead material, or NULL: by piece whether it is royal or may be part of it at all; by kinds of
       the two royals where their table begins here, 0 for none. In it: by side whether the royal
       castles; by piece in hand, then by piece and square, a word that is 0 for a piece that may
       yet mate, else `HELPLESS` where it never mates alone, and the sets of squares that it is
       bound to, a bit for each; by sets of these whether nobody is mated on them. */
    const int32_t *dead;
    /* By place in the line: what the mover is ahead, whether it is in check, how many checks the
       side that has moved gave, two moves that refuted others. */
    int32_t *ahead, *checked, *given, *killers;
    int32_t *good;     /* by piece × size + square: how often a move was good */
    int32_t *rated;    /* ratings of the moves in the list of moves */
    uint64_t *keys;    /* by place in the line */
    uint64_t *entries; /* two numbers each: see src/alfil/engine/search.c */
} Search;

/* What src/alfil/engine/differences.c notes by square, and by place in the list of pieces. */
typedef struct {
    uint64_t hard;    /* pieces whose moves are counted again only with all others: a bit each */
    uint64_t passers; /* pieces that may capture en passant */
    uint64_t key, second_key;
    int64_t slots; /* of `table` */

    volatile int32_t stop; /* set by anybody to end the count */

    uint64_t *watchers; /* by square: pieces that look at it */
    int32_t *notes;     /* by square: see `DECISIVE` */
    int32_t *gains;     /* by square: how many kinds may be dropped there */
    int32_t *counted;   /* by place in the list: moves of a piece */
    uint64_t *table;    /* three numbers each: two keys, a count */
} Differences;

/* `m` and `at` are places in the list of moves, and `at` has free room behind it. */

/* Make the move at m, and take back the last one, which stands at m. */
ENGINE_API void make(const Tables *game, Position *pos, int m);
ENGINE_API void unmake(const Tables *game, Position *pos, int m);
/* List all legal moves in one order: royals, other pieces by kind and square, then drops; the place
   after the last. */
ENGINE_API int64_t generate(const Tables *game, Position *pos, int at);
ENGINE_API int64_t count_moves(const Tables *game, Position *pos, int at);
ENGINE_API int64_t perft(const Tables *game, Position *pos, int at, int depth);
ENGINE_API int64_t perft_by_differences(const Tables *game, Position *pos, Differences *diff,
                                        int at, int depth);
ENGINE_API int64_t perft_after(const Tables *game, Position *pos, Differences *diff, int at,
                               int end, int depth, int second);
ENGINE_API int64_t simulate(const Tables *game, Position *pos, int games, int limit, uint64_t seed,
                            int64_t *out);
ENGINE_API int64_t survey(const Tables *game, Position *pos, int at, int64_t *out);
ENGINE_API int64_t go_on(const Tables *game, Position *pos, int at, int64_t *out, int m);
ENGINE_API void tell_changes(const Tables *game, Position *pos, int first, int end, int64_t *out);
/* List what the piece on a square, or a piece that is dropped there, could do, legal or not, and
   note the reasons; the place after the last. */
ENGINE_API int64_t propose(const Tables *game, Position *pos, int s, int at, int32_t *reasons);
ENGINE_API int64_t propose_drop(const Tables *game, Position *pos, int s, int p, int at,
                                int32_t *reasons);
/* Whether the piece on a square has a move to another one that is whatever it is, once a number of
   squares stand otherwise (`changes` are square, piece); what it captures on the first of these. */
ENGINE_API int64_t could_go(const Tables *game, Position *pos, int s, int target, int32_t *changes,
                            int number);
/* How many moves a piece would have on a square, if nothing stood there and nothing were illegal. */
ENGINE_API int64_t mobility(const Tables *game, Position *pos, int p, int s);
/* Whether a side's royals are open to capture, the piece on a square could capture so that the
   other side loses, royals face each other, and a piece cannot move because of another one. */
ENGINE_API int64_t is_checked(const Tables *game, Position *pos, int side);
ENGINE_API int64_t attacks_royal(const Tables *game, Position *pos, int s);
ENGINE_API int64_t are_facing(const Tables *game, Position *pos);
ENGINE_API int64_t is_immobile(const Tables *game, Position *pos, int s);
/* Whether royals are lost by the legal move at m: 1 if it wins, -1 if it loses, 0 mostly. */
ENGINE_API int64_t royals_lost(const Tables *game, Position *pos, int m);
ENGINE_API int64_t key_of(const Tables *game, Position *pos);
ENGINE_API int64_t is_dead(const Tables *game, Position *pos, Search *search);
ENGINE_API int64_t think(const Tables *game, Position *pos, Search *search, int depth);

#endif
