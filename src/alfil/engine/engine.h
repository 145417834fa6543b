/* The engine of alfil: what a game's tables and a position are, and what may be asked of them.

   Whoever calls owns all memory: the functions allocate nothing and keep nothing, so that one
   game's `Tables` may serve many threads at once, each with a `Position` of its own. Nothing here
   knows a game or a piece; src/alfil/game/engine_structs.py lays both structs out. Each struct is whole
   numbers, of 64 bits before those of 32, then arrays: src/alfil/game/engine_interface.py reads them.

   A square is rank × files + file, and the number of squares stands for none, as for where a drop
   comes from. A piece is 1 + 2 × kind + side, and 0 is none; a wall is the piece with the number
   `pieces`, on nobody's list. A list is the place in `pool` of a count, with so many numbers behind
   it; place 0 is no list, and reads as an empty one. Functions that say whether something holds
   answer 0 or not 0. */

#ifndef ALFIL_ENGINE_H
#define ALFIL_ENGINE_H

#include <stddef.h>
#include <stdint.h>

#include "rules.h" /* made by building.py: rules, their values, reasons and ends, by rules.tsv */

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

/* The last bits of what stands on the board, by which positions of a line are found again. */
#define VISITS 511

/* How many classes those are. */
#define CLASSES 9

/* A node that captures nothing. */
#define NOTHING 0

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
/* Behind the number of a reason why a move of a piece, or a drop, is not legal stands the square of
   what is told of one. */
#define REASONS 8
/* What `ways_to_square_after_changes` answers of a piece: it goes there, it captures on a square as it does, it castles
   there. */
enum { GOES = 1, TAKES = 2, CASTLES = 4 };
/* What is said instead of a number of a cell where all is too much work. */
#define ENDLESS 2147483647
/* Flags of a move. From `EXTRA` on stands what it builds or leaves: square + 1 of a wall, or
   2 × (kind + 1) of what comes from the hand, and 1 more where a castling partner leaves it. */
enum { PASSANT = 1, CHANGING = 2, EXTRA = 2 };
/* Where a search ended before any move was listed. */
enum { NO_MOVE = -1 };
/* What stands in `survey`: the number of the move that is wanted, whether the mover is in check, how the
   game has ended, how many moves there are, and for each a number that no other move of the game has. */
enum { WANTED, CHECKED, RESULT, COUNT, NUMBERS };
/* A result is so many times an end of the game and the side that has won, or `DRAW`; 0 where the game
   goes on. */
enum { DRAW = 2, WINNERS = 4 };
/* In a word of dead material: a piece that never mates alone, and the sets that it is bound to. */
enum { HELPLESS = 1, BOUND = 1 };
/* What a piece does where chases are looked for: it chases, and it is chased on a square. */
enum { CHASES = 1, CHASED = 2 };
/* Which mates by a piece do not count: those that no other piece's checks led to, and all. */
enum { MATES_DRAWN = 1, NEVER_MATES };

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
} RoamingPath;

/* A chain of squares: its last one, the chain before, the first one that follows this one and the
   next that follows the one before, how long it is, and the number of the trail that it is, or 0. */
typedef struct {
    int32_t square, before, first, next, length, trail;
} SquareChain;

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
    /* Rules of few games: whether moves change more than what goes and what is captured, captures
       explode; how walls are built, what turns over; whether pieces are left behind from the hand,
       dropped from no hand, or dropped before all else. */
    int32_t effects, exploding, walling, turning, gating, endless, setting;
    /* Whether check is no matter, captures must be made, royals may face each other, check to all royals
       counts, drops touch their own side, and whoever has no other move passes. */
    int32_t lenient, take_first, meeting, duple, beside_own, stuck_passes;
    int32_t en_route;   /* whether pieces capture en passant before their last square */
    int32_t holding;    /* whether pieces hold others one by one */
    int32_t burning;    /* whether pieces burn or shoot others */
    int32_t effect_bits; /* all that some effect of a piece does */
    int32_t round;      /* after how many turns of a side the same moves are due again */
    int32_t most_undo;  /* how many numbers take back one move */
    int32_t most_held;  /* how many numbers say who holds whom */
    /* Whether pieces roam; how many ways and chains there may be, how many ways are followed for one
       list, how many moves that capture on their way one walk may find, and how long `ends` and
       `burdens` are. */
    int32_t roaming, most_ways, most_walked, most_burdened, most_ends, most_burdens;
    int32_t bodies;  /* whether pieces take up several squares: see src/alfil/engine/bodies.c */
    int32_t veiling; /* whether pieces see other things on squares than stand there: see `view_board_as` */
    /* Whether it matters to results which moves give check, and by which pieces; how many checks win,
       0 for none; whether captured pieces never come back; whether anything castles. */
    int32_t minding_checks, varied_mates, checks_to_win, vanishing, castles;

    /* By rule, as src/alfil/engine/rules.h numbers them: the number of its value, a set of bits of
       those that hold, or a list that src/alfil/engine/results.c reads; 0 for none. */
    const int32_t *rules;

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
    /* By where another square lies from a piece's own: see `AIMED`; by piece, where its own square is in
       that, in a row that others may share. The squares of a board twice as long and wide are numbered
       for that; by square, its number there. */
    const uint8_t *reach;
    const int32_t *reach_at;
    const int32_t *grid;
    /* By piece: its shift, its kind + 1 in the captor's hand (0 for none), its limit on a file;
       whether it or a form has one; whether its moves need more than a walk, capture several or at
       home, or come twice; whether it goes over pieces, has lines, captures en passant, how many of
       its moves are remembered, how it is royal, whether it passes where it stays. */
    const int32_t *shift, *held, *limit, *crowds, *odd, *special, *twins, *hops, *lines;
    const int32_t *passes, *remembered, *royal, *stays;
    const int32_t *seen;   /* by piece × CLASSES + class: what it calls what stands on a square
                              where it roams; or NULL */
    /* By piece: limit on a file for drops, what else limits them, whether they may not mate. */
    const int32_t *drop_limit, *drop_check, *drop_mate;
    const int32_t *droppable; /* by side: list of kind, piece */
    /* By piece: what captures do to it, whether it leaves pieces behind, how many of it others may
       turn into (or NULL), how it castles to files (list: left, right, partners; or NULL), and with
       which pieces alone it castles (list; or NULL). */
    const int32_t *blast, *gates, *side_limit, *castling, *only_with;
    /* By piece: how far from the edge its castling partners stand (list; or NULL), and how many of its
       own moves tell positions apart. */
    const int32_t *insets, *counted;
    /* Of results, or NULL: by piece × size + square whether it wins there, and how it chases; by piece
       which mates by it do not count, how much it counts, twice, and whether its moves end a count of
       moves; dead material, see src/alfil/engine/material.c. */
    const int32_t *goals, *chases, *mates, *points, *progress;
    int32_t *dead;
    /* By piece: what it becomes by moves of their own (list; or NULL); by piece × size + square:
       whether it may do so there though it is not the only one of its side. */
    const int32_t *apart, *ripe;
    /* By piece: the squares that it takes up, counted from its own (list); how many files and ranks
       more than one; by piece × CLASSES + class: of several things in its way, what comes first. */
    const int32_t *body, *wide, *high, *foremost;
    const int32_t *blocked; /* by piece: whether it has blockers; or NULL */
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
    const uint32_t *barred; /* by piece: the set of what it may not capture, pieces and walls */
    const uint32_t *blockers; /* by piece: the set of what it neither passes nor takes, where
                                 `view_board_as` tells it that; or NULL */
    const uint32_t *drop_squares; /* by piece × words: a set of squares */
    const uint32_t *file_squares; /* by file × words: a set of squares */
    const void *lay;              /* a function that lays out; a module has it from its host */
} Tables;

/* A move of a list. */
typedef struct {
    int32_t origin; /* the number of squares for a drop */
    int32_t target;
    int32_t becomes;
    int32_t node;    /* of a drop the kind */
    int32_t partner; /* castling partner's origin × 2048 + target + 1, or 0 */
    int32_t flags;
} Move;

/* A move that was made, and what results ask of the position after it. */
typedef struct {
    /* What stands where, is in hand and moves next; which pieces may castle, as a part of that; and
       all that legal moves and results depend on, once its moves were listed. */
    uint64_t board, rights, key;
    int64_t earlier; /* 1 more than the place of the last one before with the same entry in `visits` */

    Move move;
    int32_t won;     /* royals lost by it: 1 if it wins, -1 if it loses */
    int32_t check;   /* whether it gives check, */
    int32_t mating;  /* and whether a mate counts that such checks lead to */
    int32_t given[2]; /* the checks of both sides by now */
    int32_t passed;
    int32_t idle;    /* how many moves in a row count towards a limit by now */
    int32_t limit, counted; /* in how many moves one side must be mated, and how many were made */
    int32_t fresh;   /* how many positions before this one may come again */
} Ply;

/* A position, with room to work in. */
typedef struct {
    /* Steps of work so far: at most one for each node that may be looked at to try moves. Who asks for it adds
       the moves that are listed. */
    int64_t work;
    int32_t side;      /* to move: 0 or 1 */
    int32_t counts[2]; /* pieces of each side */
    int32_t royals[2]; /* where each side's royal stands, where `careful` is 0 */
    /* Whether there is not just one royal of each side: moves are judged one by one then. */
    int32_t careful;
    int32_t trail; /* list of squares that the last move passed, and where it ended */
    int32_t victim;
    /* 1 more than the square where the last move captured a piece that may not be exchanged, if it
       was not by such a piece; else 0. */
    int32_t exchanged;
    int32_t stamp;  /* what marks are written with: one more where a piece of the mover's may open a royal by
                          coming to stand there */
    int32_t undone; /* numbers in use of `undo` */
    int32_t number; /* of the move to be made, both sides' counted */
    /* What `find_checks` found: how many checks, the last one, whether a piece near goes over others,
       lengths of `near` and `beside`, and whether royals face each other. */
    int32_t checks, checker, check_from, check_until, hopped, nears, besides, faced;
    int32_t noted; /* length of `nodes` */
    int32_t fault; /* why no move that is written now is legal */
    int32_t ended, burdened; /* numbers in use of `ends` and of `burdens` */
    int32_t failed; /* whether a walk found more than can be listed, since `find_checks` */
    int32_t walked; /* how many ways were followed since */
    int32_t marking; /* whether walks mark the squares that they look at */
    int32_t veiled; /* whether `shift` is as some piece sees it; how it is else is in `plain` */
    int32_t seer;   /* piece × size + square of who sees what is in the other of the two, or 0 */
    /* The last place of `line`; 1 more than where a search began, 0 for none; whether repetitions and counts of
       moves end the game no more. */
    int32_t past, root, plays_on;
    /* The room there is: the last places of `moves`, behind which one more is free, and of `line`, and
       the numbers of `nodes`, `undo` and moves in `survey`. How many moves were to be made without room for that, and were not. */
    int32_t last_listed, last_past, most_noted, most_undone, most_surveyed, unmade;
    /* How many drops that may not mate are tried one in the other, and how many were so far. */
    int32_t deep, tries;
    volatile int32_t stopped; /* set by anybody to have lists end soon, wherever they are */

    int32_t *board;         /* by square */
    int32_t *lists;         /* by side × size: squares of its pieces */
    int32_t *places;        /* by square: where it stands in that list */
    int32_t *hands;         /* by side × kinds + kind */
    int32_t *on_file;       /* by piece × files + file */
    int32_t *made;          /* by square: how many moves its piece has made */
    /* Enemies that aim at the royal, and at squares beside it; or at any royal of the mover's, and those
       royals, where moves are judged one by one. */
    int32_t *near, *beside;
    int32_t *nodes;         /* of one piece, no two for the same move; */
    int32_t *noted_at;      /* by square: 1 more than the place of the last of them that ends there */
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
    int32_t *judged; /* such reasons, where chases are looked for */
    /* The moves of the game so far, and of the line that goes on from it; at place 0 stands what was
       before. */
    Ply *line;
    /* Where pieces roam: nodes of moves found, those that capture on their way, and room to walk in:
       ways, by their hash where they are (twice as many), and chains. */
    int32_t *ends, *burdens;
    RoamingPath *ways;
    int32_t *met;
    SquareChain *links;
    int32_t *visits; /* by the last bits of `board`: 1 more than the last place of the line with them */
    int64_t *survey; /* what is asked and told between moves: see `survey` */
} Position;

/* What something is worth in the middle game, with all material on the board, and in the endgame, with none. */
typedef struct {
    int32_t middle, end;
} TaperedValue;

/* So many promoting pieces of the side that leads are told apart, none among them. */
enum { LEADS = 9 };

/* What a search for the best move goes by and learns; all scores are the mover's. */
typedef struct {
    int64_t visited, allowed; /* positions: how many were looked at, and how many may be */
    int64_t last_entry;       /* one less than the number of entries, a power of 2 */
    int64_t round;            /* which search this is of those that use these entries */

    TaperedValue on_move;             /* what it is worth to be on the move */
    int32_t mobility;            /* what it is worth to have a move more than the other side */
    int32_t whole;               /* so much material there is at the start; 0 where nothing is tapered */
    int32_t share;               /* and the share of that with which the search began, of `SHARES` */
    int32_t score;               /* what was found so far, */
    volatile int32_t reached;    /* and how many moves ahead: told while it goes on */
    volatile int32_t halt;       /* set by anybody to end the search */
    int32_t longest;             /* a list of moves has room for so many */
    int32_t extending;           /* whether answers to a check are looked at one move deeper */
    int32_t roots;               /* how many first moves it may choose from, 0 for all */
    /* Whether terms have weights; how many of them a kind has; how many are listed, and may be; how much
       is noted of what pieces reach, and may be. See src/alfil/engine/terms.c. */
    int32_t weighing, kind_terms, terms_listed, terms_room, reached_end, reach_room;
    int32_t royal_ranks[2];

    const TaperedValue *worth;   /* by piece × size + square */
    const TaperedValue *in_hand; /* by kind */
    const TaperedValue *weights; /* by term */
    /* By kind: what it is worth nearly, and whether it gains by going to where it promotes. */
    const int32_t *kind_worth, *advancing;
    const int32_t *lead_scale; /* by how many such pieces who leads has: what a lead counts, in percent; or NULL */
    int32_t *listed, *reach;
    int32_t *guards, *cheapest; /* by side × size + square: how many pieces guard it, what the cheapest is worth */
    /* By square: what the cheapest piece is worth that may capture the mover's there, and then what that is
       likely to lose if it stays. */
    int32_t *threats;
    /* By how many moves the line is long: what the mover is ahead, two moves that refuted others. */
    TaperedValue *ahead;
    int32_t *killers;
    int32_t *evals, *placed; /* likewise: what the position seemed worth, and by which place of
                                `history` it came */
    int32_t *history;        /* by piece × size + square: how good a move was */
    int32_t *continuations;  /* and how good after others: see src/alfil/engine/ordering.c */
    int32_t *rated;    /* ratings of the moves in the list of moves */
    int64_t *evaluations; /* two numbers each: see src/alfil/engine/evaluation.c */
    uint64_t *entries; /* two numbers each: see src/alfil/engine/search.c */
    const uint64_t *root_codes; /* those first moves, as `move_code` has them */
    /* By how many moves ahead it was looked: the score and how many positions were looked at, and the
       first move. */
    int64_t *iterations;
    Move *first_moves;
} Search;

/* Games of the engine against itself: see src/alfil/engine/selfplay.c. */
typedef struct {
    int64_t seed;  /* of all games */
    int64_t plies; /* how many were made in all */
    int64_t rows_end, rows_room; /* how many numbers the rows of positions are, and may be */

    int32_t opening; /* so many moves of a game are by chance, */
    int32_t chance;  /* and so many of a hundred later ones */
    int32_t depth, longest; /* how far the search looks, and how many moves a game may have */
    int32_t kept_of; /* of so many positions one is kept, if it is quiet */
    int32_t bare;    /* whether a side that has nothing but royals has lost */
    int32_t decided; /* games that somebody won */
    int32_t with_terms; /* whether rows have the terms of their positions */

    int32_t *rows; /* as src/alfil/engine/selfplay.c says */
} SelfPlay;

/* What explains the results of such games: see src/alfil/engine/fitting.c. */
typedef struct {
    int64_t rows_kept; /* rows, */
    int64_t positions; /* and how many of them were explained */

    int32_t columns; /* in all, */
    int32_t phases;  /* 2 where each of them is one for much and one for little material, */
    int32_t terms;   /* and how many columns of men are before those of terms */
    int32_t whole;   /* so much `material` is all that there can be */
    int32_t asked;   /* so many of the first columns have covariances */
    int32_t most_steps;
    int32_t first_game, drawn; /* games before this one are left out, and drawn ones unless `drawn` */
    int32_t hold_out, holding; /* one game of so many is left out, and serves as a test */
    int32_t tempo; /* what is known before of being on the move */
    int32_t scaling; /* whether what a lead counts is to be found too, beside the coefficients */

    const int32_t *rows;
    const int64_t *starts; /* by row: where it begins */
    /* By man, as in a row: one more than its columns, below 0 for the second side, or 0; what it is
       known to be worth to the first side, and how much material it is; by term: what it is known to be worth. */
    const int32_t *kind_columns, *square_columns, *known, *material, *known_terms;
    const int32_t *advancing; /* by man: 1 or -1 where it gains by going to where it promotes, else 0 */
    /* By how many of these who leads has: what a lead counts; behind all of them the gradients, and the curvatures. */
    double *lead_scale;
    double *scale;   /* a few numbers: see src/alfil/engine/fitting.c */
    double *targets; /* by row: what is to be explained, 1 for a win of the first side, */
    double *weights; /* and how much that says */
    /* By column: how strongly a coefficient is drawn to 0, what was found, and room to work in. */
    const double *ridge;
    double *coefficients, *gradient, *diagonal, *step, *direction, *image, *rest;
    double *inverse, *covariances; /* matrices as rows of columns */
    int32_t *used; /* the columns of a row, as those of men are */
} Fitting;

/* What a count of sequences keeps. */
typedef struct {
    int64_t slots; /* of `table`, 0 where no counts are kept */

    volatile int32_t stop; /* set by anybody to end the count */

    uint64_t *table; /* counts of positions met before, three numbers each: two keys, a count */
} Counting;

/* A stipulation of a chess problem, and what is known while it is solved. */
typedef struct {
    int64_t visited, allowed; /* positions: how many were looked at, and how many may be */
    int64_t last_entry;       /* one less than the number of entries, a power of 2 */

    int32_t plies;         /* how many there are */
    int32_t goal, square;  /* what is to be reached, and where */
    int32_t longest;       /* a list of moves has room for so many */
    volatile int32_t halt; /* set where nothing is known for want of room, positions or time */

    const int32_t *steps; /* by ply: how it is played, as bits */
    uint64_t *entries;    /* positions that are known: see src/alfil/engine/problems.c */
} Problem;

/* How a ply of a stipulation is played; otherwise all moves have to lead on. */
enum { CHOOSES = 1, MAY_END = 2, IN_SERIES = 4, GIVES_CHECK = 8 };

/* The goals of a stipulation. */
enum {
    GOAL_MATE,
    GOAL_STALEMATE,
    GOAL_NO_MOVE,
    GOAL_CHECK,
    GOAL_CAPTURE,
    GOAL_SQUARE,
    GOAL_WIN,
};

/* What a move of a problem does. */
enum { LEADS_NOWHERE, LEADS_TO_GOAL, LEADS_ON };
/* How the positions and moves of a game are told to programs that learn it, as the side to move sees
   them: src/alfil/engine/environment.c. */
typedef struct {
    int32_t planes; /* how many; after those of pieces and hands come those of src/alfil/engine/environment.c */
    int32_t hands;  /* how many kinds have a plane for each hand */
    int32_t drops;  /* the number of the first drop */
    int32_t extras; /* how many numbers a move has, by what it builds or leaves */
    int32_t specials;

    /* By node: the number of its moves; or, below zero, the place in `forms` of how many moves without
       a capture on the target there are, and of each the form and the number, then the same with one,
       and where what roams captures on its way, both once more for moves that do. */
    const int32_t *numbers, *forms;
    const int32_t *dropped; /* by piece: by how much its drops come after the first one */
    const int32_t *held;    /* the kinds that have a plane for each hand */
    const int32_t *held_at; /* by kind: its place among them */
    const int64_t *keys;    /* of moves without a node, in order: see `action_number_without_node` */
    const int32_t *named;   /* and the number of each */
} Encoding;

/* Several games of one sort that are played at once. */
typedef struct {
    int32_t games;    /* how many */
    int32_t longest;  /* how many moves one may have */
    int32_t room;     /* for so many legal moves of each */
    int32_t renewing; /* whether one that has ended begins again at once */

    Position **positions;
    /* By game: how many legal moves there are, none once it has ended; how the last move ended it,
       0 where it did not; what that is worth to who made the move; whether it ended by the rules,
       or by its length; the side to move; and a seed. */
    int32_t *listed, *results;
    float *rewards;
    uint8_t *terminated, *truncated, *sides;
    uint64_t *seeds;
    int32_t *actions; /* by game × room: the numbers of its legal moves */
} Games;
/* Endings of few men that are solved backwards: see src/alfil/engine/tablebase.c. */
typedef struct {
    int64_t first_own; /* where the values of the positions begin that are solved now, */
    int64_t own, room; /* how many they are, and how many there is room for */
    int64_t extra;     /* positions behind these in which a capture en passant is legal */
    int64_t edges_counted, most_edges; /* moves between own positions, and room for them */
    /* Numbers in use of `edges_met`; how many there are, 0 once they were too few; and the position
       that the last one comes from. */
    int64_t remembered, most_remembered, last_parent;

    int32_t materials, first_material; /* how many materials, and the first that is solved now */
    int32_t careful; /* whether moves are judged one by one in all games of this sort */
    int32_t filling; /* whether edges are written; they are counted before */
    int32_t failed;  /* why there is no table, or 0 */
    int32_t pending; /* the most plies that a position waits for */

    volatile int32_t stop; /* set by anybody to end the work */

    const int32_t *pieces;  /* by material × MOST_MEN: its men, then 0 */
    const int64_t *starts;  /* by material: where its positions begin in `values` */
    const int32_t *widths;  /* by material: how many slots its first man has */
    /* By material × size + square of the first man: its slot, and the number of the map that brings it
       there; by material × size + slot: the square, and how many are brought to it. */
    const int32_t *slots, *turns, *corners, *weights;
    const int32_t *unmet; /* by piece × size + square: whether it never stands there */
    const int32_t *maps; /* by map × size + square: where that is brought */
    uint16_t *values;    /* of all positions */
    /* By own position: the fewest plies in which a move wins that is known to, the most in which one
       loses, and how many moves do not lose as far as is known. */
    uint16_t *wins, *losses, *left;
    uint32_t *begins; /* by own position: where those that lead to it begin in `edges` */
    uint32_t *edges;
    uint32_t *edges_met; /* edges as they are counted */
} Endings;

/* Cut a move table to one square of the area of a piece: `out` has the nodes that are on the board, with
   squares for steps, from `count` on the node after each one's subtree, and from 2 × `count` on the place
   of each node of the table, and of the end; how many are left. See src/alfil/engine/cells.c. */
ENGINE_API int64_t cut_table_to_square(const uint32_t *words, const int32_t *skips, const int32_t *steps,
                             int count, const int32_t *area, int32_t *out);
/* Add to `bounds` what a move table has on a board; to `ends` how many moves may end on each square, by
   how far away that is, and to `lines` the same of files and then of ranks. */
ENGINE_API void measure_table(const uint32_t *words, const int32_t *steps, int count, int files,
                              int ranks, int32_t *ends, int32_t *lines, int64_t *bounds);
/* Set the bytes of a row for all squares on which a move table may capture a royal at the end of a move,
   by how far away they are: as `ends` of `measure_table`. */
ENGINE_API void mark_royal_attack_offsets(const uint32_t *words, const int32_t *steps, int count, int files, int ranks,
                          uint8_t *row);
/* Make nodes of such words: `classes` are what the piece calls what stands on squares, by class, and
   behind that whether some are in its way only where it jumps. */
ENGINE_API void write_nodes(const int32_t *words, const int32_t *skips, int count,
                            const int32_t *classes, const int32_t *arrivals, uint64_t *nodes);
/* List the branches of nodes that may capture a royal of a class: `row`, where all is 0 before, tells by
   square where its list stands in `out`, which begins at a place of `pool`; how long that is. `parts` are
   the first node of some and the one after the last, `nth_captured_square` a node and a square that it captures on
   its way, both in order until -1; `first` is the number of the first node. */
ENGINE_API int64_t list_royal_attack_branches(const uint64_t *nodes, const int32_t *parts, const int32_t *captured,
                             int royal, int first, int place, int32_t *row, int32_t *work,
                             int32_t *out);
/* Fill rows by square, of a piece of the first side and of the second: what it is worth on the squares of
   the first, with some chance, which is there for both by turns; the second row is turned half around. */
ENGINE_API void fill_value_rows(const int32_t *worth, const int32_t *chance, int size, int32_t *rows);

/* `m` and `at` are places in the list of moves. Where there is no room to list or to make a move, that
   is left out, and the call comes to nothing (`abort_call`). */

/* List all legal moves in one order: royals, other pieces by kind and square, then drops; the place
   after the last. */
ENGINE_API int64_t generate_legal_moves(const Tables *game, Position *pos, int at);
/* The number of sequences of so many moves, without meaning once `stop` is set; of those that begin
   with the move at m, which stands in a list that has an end, and, where `second` is not negative,
   go on with that one of the moves then. */
ENGINE_API int64_t perft(const Tables *game, Position *pos, Counting *counting, int at, int depth);
ENGINE_API int64_t perft_after(const Tables *game, Position *pos, Counting *counting, int m,
                               int end, int depth, int second);
ENGINE_API int64_t play_random_games(const Tables *game, Position *pos, int games, int limit, uint64_t seed,
                            int64_t *out);
/* Enter the pieces of the board in the other arrays and begin a line (`careful` is whether all games
   of this sort are); go on with one by the legal
   move at m, by the one that has the number `WANTED` in `survey`, or by several with such numbers;
   take its last move back. */
ENGINE_API void begin_line_from_board(const Tables *game, Position *pos);
ENGINE_API void make_line_move(const Tables *game, Position *pos, int m);
ENGINE_API int64_t make_move_by_id(const Tables *game, Position *pos);
ENGINE_API int64_t make_moves_by_id(const Tables *game, Position *pos, int at, const int64_t *numbers,
                            int count);
ENGINE_API void unmake_line_move(const Tables *game, Position *pos);
/* List all legal moves at place 1, and tell the rest of what a game asks; how many moves there are. */
ENGINE_API int64_t list_moves_and_result(const Tables *game, Position *pos);
ENGINE_API void write_move_changes(const Tables *game, Position *pos, int first, int end, int64_t *out);
/* List what the piece on a square, or a piece that is dropped there, could do, legal or not, and
   note the reasons; the place after the last. */
ENGINE_API int64_t list_moves_with_reasons(const Tables *game, Position *pos, int s, int at, int32_t *reasons);
ENGINE_API int64_t list_drop_with_reason(const Tables *game, Position *pos, int s, int piece, int at,
                                int32_t *reasons);
/* Whether the piece on a square has a move to another one that is whatever it is, once a number of
   squares stand otherwise (`changes` are square, piece); what it captures on the first of these. */
ENGINE_API int64_t ways_to_square_after_changes(const Tables *game, Position *pos, int s, int target, int32_t *changes,
                            int change_count);
/* Add to `counts` how many moves each piece of the first side that is not royal would have on every
   `step`th square, if nothing stood there and nothing were illegal. */
ENGINE_API void add_mobility(const Tables *game, Position *pos, int first, int step, int32_t *counts);
/* Whether a side's royals are open to capture, the piece on a square could capture so that the
   other side loses, and a piece cannot move because of another one. */
ENGINE_API int64_t is_checked(const Tables *game, Position *pos, int side);
ENGINE_API int64_t attacks_royal(const Tables *game, Position *pos, int s);
ENGINE_API int64_t is_piece_immobilised(const Tables *game, Position *pos, int s);
/* What a side's pieces count, twice. */
ENGINE_API int64_t points_of(const Tables *game, Position *pos, int side);
/* Write the numbers of the moves between two places of the list, and the planes of a position whose moves
   were listed: as bytes, or as floats. */
ENGINE_API void write_action_numbers(const Tables *game, Position *pos, const Encoding *code, int first, int end,
                             int32_t *out);
ENGINE_API void write_planes(const Tables *game, Position *pos, const Encoding *code, int floats,
                             void *out);
/* Begin all games again, or those marked; make a move in each, by its number, or none for -1: how many
   games come before one in which that is not legal, and none was made then, or -1. */
ENGINE_API void begin_games(const Tables *game, const Encoding *code, Games *all, const uint8_t *marked);
ENGINE_API int64_t step_games(const Tables *game, const Encoding *code, Games *all,
                              const int32_t *actions);
/* Take back so many moves of each game, or as many as it has had. */
ENGINE_API void take_back_games(const Tables *game, const Encoding *code, Games *all,
                                const int32_t *plies);
/* Write the planes of all games; which numbers are legal, a byte for each; and one of these by chance
   for each game, -1 where it has ended. */
ENGINE_API void observe_games(const Tables *game, const Encoding *code, Games *all, int floats,
                              void *out);
ENGINE_API void mask_games(const Tables *game, const Encoding *code, Games *all, int64_t actions,
                           uint8_t *out);
ENGINE_API void sample_games(const Tables *game, const Encoding *code, Games *all, int32_t *out);
/* Follow the moves of own positions between two numbers: first all are counted, and, after a call of
   `divide_edge_room` that has not written them, once more to be written. What failed, or 0. */
ENGINE_API int64_t expand_endings(const Tables *game, Position *pos, Endings *endings, int64_t from,
                                  int64_t until);
/* Divide the room for edges, and write those that were remembered, if all are; what failed, or 0. */
ENGINE_API int64_t divide_edge_room(const Tables *game, Position *pos, Endings *endings);
/* Decide what is won and lost, from so many plies on; 0, or what failed. */
ENGINE_API int64_t solve_endings(const Tables *game, Position *pos, Endings *endings, int plies);
/* Count the positions of a material: by side × VALUES + value, then stalemates by side. */
ENGINE_API int64_t count_ending_values(const Tables *game, Position *pos, Endings *endings, int material,
                                 int64_t *out);
/* The number in `values` of what stands on the board, below 0 where there is none. */
ENGINE_API int64_t ending_number_of_board(const Tables *game, Position *pos, Endings *endings);
/* Tell a position of a material: the side to move and the squares of its men. */
ENGINE_API int64_t decode_ending_position(const Tables *game, Position *pos, Endings *endings,
                                       int material, int64_t within, int32_t *out);
/* Mark by square where a piece that minds whether it has moved never comes; whether it may come back
   to where one begins. */
ENGINE_API int64_t mark_unreachable_squares(const Tables *game, Position *pos, int piece, int32_t *out);
/* Whether a piece moves the same everywhere once all is brought elsewhere by a map. */
ENGINE_API int64_t moves_alike_under_map(const Tables *game, Position *pos, const Endings *endings, int piece,
                               int map_number);
ENGINE_API int64_t think(const Tables *game, Position *pos, Search *search, int depth);
/* The place in the list of legal moves of what a search has found to be the best, -1 where it has nothing. */
ENGINE_API int64_t find_hash_move(const Tables *game, Position *pos, Search *search);
/* Likewise of what it had found to be the best by looking one move farther than so many, from its first
   position. */
ENGINE_API int64_t find_move_of_iteration(const Tables *game, Position *pos, Search *search, int iteration);
/* Play the game with a number from here on, and keep positions of it; how it has ended, or 0. */
ENGINE_API int64_t play_against_itself(const Tables *game, Position *pos, Search *search, SelfPlay *play,
                               int game_number);
/* Find the coefficients that explain results best; how many steps that took. */
ENGINE_API int64_t fit_results(const Tables *game, Position *pos, Fitting *fit);
/* What the legal move at m does on a ply of a problem, where a list ends at `end`. */
ENGINE_API int64_t try_solution_move(const Tables *game, Position *pos, Problem *problem, int m, int end,
                         int ply);

#endif
