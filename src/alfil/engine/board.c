/* Pieces on squares: put, taken off, listed by side; and moves written into the list. */

#include "engine.h"

/* What few games have stands by itself, so that what all games do stays small. */
#define RARE __attribute__((noinline, cold))

static int lowest_bit(uint32_t set) {
    return __builtin_ctz(set);
}

static int popcount(uint32_t set) {
    return __builtin_popcount(set);
}

/* A set of squares. */
typedef struct {
    uint32_t words[(SQUARE + 1) / 32];
} Squares;

static void add_square(Squares *set, int square) {
    set->words[square >> 5] |= UINT32_C(1) << (square & 31);
}

static int has_square(const Squares *set, int square) {
    return (set->words[square >> 5] >> (square & 31)) & 1;
}

/* The set of other pieces, and walls, that belongs to a piece. */
static inline const uint32_t *set_of_piece(const Tables *game, const uint32_t *sets, int piece) {
    return sets + (size_t)piece * ((size_t)game->pieces / 32 + 1);
}

static inline int has_piece(const uint32_t *set, int piece) {
    return (int)(set[piece >> 5] >> (piece & 31) & 1);
}

/* So much work takes as long as a position of chess, whose moves take fewer steps. */
enum { STEPS_OF_POSITION = 1024 };

/* How many positions count as looked at, where so many were: more where their moves took long to try. */
static int64_t positions_worth_of_work(const Position *pos, int64_t visited) {
    int64_t worked = pos->work / STEPS_OF_POSITION;
    return worked > visited ? worked : visited;
}

/* Whether a piece may not capture another one, or a wall. */
static inline int may_not_capture(const Tables *game, int piece, int other) {
    return has_piece(set_of_piece(game, game->barred, piece), other);
}

/* The node after this one where its word, shifted for what stands on its square, is t. */
static int next_node(int i, uint64_t word, uint64_t shifted_word) {
    return shifted_word & ON ? i + 1 : i + (int)(word >> SKIP_AT & SKIPS);
}

static void swap_moves(Position *pos, int m, int n) {
    Move kept = pos->moves[m];
    pos->moves[m] = pos->moves[n];
    pos->moves[n] = kept;
}

/* Whether pieces take up several squares, as they do in few games. */
static inline int has_large_pieces(const Tables *game) {
    return __builtin_expect(game->bodies != 0, 0) != 0;
}

/* The own square of what stands on one. */
static inline int anchor_square(const Tables *game, const Position *pos, int square) {
    return has_large_pieces(game) ? pos->anchor[square] : square;
}

/* These are of src/alfil/engine/bodies.c. */
static void occupy_piece_squares(const Tables *game, Position *pos, int square, int piece);
static void vacate_piece_squares(const Tables *game, Position *pos, int square, int piece);
static void fill_large_piece_view(const Tables *game, Position *pos, int piece, int s);

/* Whether a piece neither passes nor takes another one, which most pieces may. */
static inline int is_blocked_by(const Tables *game, int piece, int other) {
    return has_piece(set_of_piece(game, game->blockers, piece), other);
}

/* The class of a piece that is in the way of some piece, and can not be captured by it. */
static inline int blocker_class(int piece) {
    return (piece - 1) & 1 ? SECOND_APART : FIRST_APART;
}

/* What a square is for a piece that has blockers and takes up one square, while nothing is veiled. */
static inline uint8_t class_shift_seen_by(const Tables *game, const Position *pos, int piece,
                                          int q) {
    int standing = pos->board[q];
    return is_blocked_by(game, piece, standing) ? (uint8_t)blocker_class(standing) : pos->shift[q];
}

/* Have what the seer sees follow what stands on a square now. */
static RARE void refresh_view_of_square(const Tables *game, Position *pos, int q) {
    if (has_large_pieces(game)) {
        pos->seer = 0;
    } else {
        pos->plain[q] = class_shift_seen_by(game, pos, pos->seer / game->size, q);
    }
}

static inline void refresh_view(const Tables *game, Position *pos, int q) {
    if (pos->seer) {
        refresh_view_of_square(game, pos, q);
    }
}

/* Whether the safety of a royal depends on a square. */
static inline int is_royal_safety_square(const Position *pos, int square) {
    return (uint32_t)pos->marks[square] - (uint32_t)pos->stamp < 2;
}

/* Whether a royal may be open to capture once a piece of the mover's comes to stand on a square. */
static inline int may_expose_if_occupied(const Position *pos, int square) {
    return pos->marks[square] == pos->stamp + 1;
}

/* Have no square be marked. In billions of positions the numbers begin again. */
static inline void unmark_all(Position *pos) {
    pos->stamp = (int32_t)((uint32_t)pos->stamp + 2);
}

/* Mark a square; `exposes_if_occupied` is as above. */
static inline void mark_square(Position *pos, int square, int exposes_if_occupied) {
    if (!may_expose_if_occupied(pos, square)) {
        pos->marks[square] = pos->stamp + exposes_if_occupied;
    }
}

/* Put a piece on a square; the lists of pieces are left as they are. */
static void put(const Tables *game, Position *pos, int square, int piece) {
    if (has_large_pieces(game)) {
        occupy_piece_squares(game, pos, square, piece);
    }
    pos->board[square] = piece;
    pos->shift[square] = (uint8_t)game->shift[piece];
    refresh_view(game, pos, square);
    pos->occupied[square >> 5] |= UINT32_C(1) << (square & 31);
    pos->on_file[piece * game->files + game->file_of[square]]++;
}

/* Take a piece off its square. */
static void lift(const Tables *game, Position *pos, int square) {
    int piece = pos->board[square];
    if (has_large_pieces(game)) {
        vacate_piece_squares(game, pos, square, piece);
    }
    pos->board[square] = 0;
    pos->shift[square] = VACANT;
    refresh_view(game, pos, square);
    pos->occupied[square >> 5] &= ~(UINT32_C(1) << (square & 31));
    pos->on_file[piece * game->files + game->file_of[square]]--;
}

/* Put a square into a side's list where it was before, or at its end. */
static void add_to_piece_list(const Tables *game, Position *pos, int side, int square, int place) {
    int32_t *base = pos->lists + side * game->size;
    int count = pos->counts[side];
    if (place != count) {
        int last = base[place];
        base[count] = last;
        pos->places[last] = count;
    }
    base[place] = square;
    pos->places[square] = place;
    pos->counts[side] = count + 1;
}

/* Take a square off a side's list; its place there. */
static int remove_from_piece_list(const Tables *game, Position *pos, int side, int square) {
    int32_t *base = pos->lists + side * game->size;
    int place = pos->places[square];
    int count = pos->counts[side] - 1;
    pos->counts[side] = count;
    int last = base[count];
    base[place] = last;
    pos->places[last] = place;
    return place;
}

/* Enter what stands on the board where else it is kept; nothing is there yet. */
static void fill_piece_lists(const Tables *game, Position *pos) {
    for (int q = 0; q < game->size; q++) {
        int piece = pos->board[q];
        if (piece == game->pieces) {
            pos->shift[q] = (uint8_t)game->shift[piece];
            pos->occupied[q >> 5] |= UINT32_C(1) << (q & 31);
        } else if (piece && anchor_square(game, pos, q) == q) {
            put(game, pos, q, piece);
            add_to_piece_list(game, pos, (piece - 1) % 2, q, pos->counts[(piece - 1) % 2]);
        }
    }
}

/* Move a piece of a side to a free square. */
static void move_piece(const Tables *game, Position *pos, int side, int origin, int target) {
    int piece = pos->board[origin];
    lift(game, pos, origin);
    put(game, pos, target, piece);
    int place = pos->places[origin];
    pos->lists[side * game->size + place] = target;
    pos->places[target] = place;
}

/* A count of moves after another move. */
static int next_move_count(int count) {
    if (count == UNKNOWN) {
        return UNKNOWN;
    }
    if (count == DROPPED) {
        return 1;
    }
    return count + 1;
}

/* Give the squares of the trail a class. */
static void set_en_passant_class(const Tables *game, Position *pos, int shift) {
    int trail = pos->trail;
    if (trail) {
        pos->seer = 0;
        for (int x = 0; x < game->pool[trail]; x++) {
            if (!pos->board[game->pool[trail + 1 + x]]) {
                pos->shift[game->pool[trail + 1 + x]] = (uint8_t)shift;
            }
        }
    }
}

/* Whether a list has some number in it. */
static int list_contains(const Tables *game, int list, int number) {
    for (int x = 0; x < game->pool[list]; x++) {
        if (game->pool[list + 1 + x] == number) {
            return 1;
        }
    }
    return 0;
}

/* The node that says where a move ends, and in which forms: for one below zero, which captures or
   leaves a trail as it roams, another one (roaming.c). */
static inline int resolve_node(const Position *pos, int i) {
    return i < 0 ? pos->burdens[-i] : i;
}

static inline uint64_t word_of_node(const Tables *game, const Position *pos, int node) {
    return game->nodes[resolve_node(pos, node)];
}

/* The list of what a node captures on the way. */
static inline const int32_t *captures_en_route(const Tables *game, const Position *pos, int node) {
    return node < 0 ? pos->burdens + 2 - node : game->pool + game->taken[node];
}

static inline int piece_types_on_capture(const Tables *game, const Position *pos, int node) {
    return game->taking[resolve_node(pos, node)];
}

/* The list of forms in which a piece may end by a node without capturing on its last square. */
static inline int piece_types_without_capture(const Tables *game, const Position *pos, int node) {
    int captures = node < 0 && captures_en_route(game, pos, node)[0];
    return captures ? piece_types_on_capture(game, pos, node)
                    : game->quiet[resolve_node(pos, node)];
}

/* Whether a node captures en passant on a square as that stands. */
static inline int is_en_passant_capture(const Tables *game, const Position *pos, int node, int q) {
    return pos->shift[q] == PASSED && game->passing[resolve_node(pos, node)];
}

static inline int en_passant_squares_of(const Tables *game, const Position *pos, int node) {
    return node < 0 ? pos->burdens[1 - node] : game->trailing[node];
}

/* One of the squares of such a list of captures. */
static int nth_square_of_captures(const Tables *game, const Position *pos, const int32_t *list,
                                  int index) {
    int q = list[1 + index];
    return q == game->size ? pos->victim : q;
}

/* Whether a piece takes up several squares. */
static inline int is_large_piece(const Tables *game, int piece) {
    return has_large_pieces(game) && game->pool[game->body[piece]] > 1;
}

/* The squares that a piece takes up, counted from its own one: how many, and which. */
static inline const int32_t *occupied_offsets(const Tables *game, int piece) {
    static const int32_t single[] = {1, 0};
    return has_large_pieces(game) ? game->pool + game->body[piece] : single;
}

/* Whether a piece sees other things on squares than most pieces see there. */
static inline int has_special_view(const Tables *game, int piece) {
    return is_large_piece(game, piece) || (game->blocked && game->blocked[piece]);
}

/* Exchange what squares are with what they are for the piece that saw them last. */
static void swap_views(Position *pos) {
    uint8_t *seen = pos->plain;
    pos->plain = pos->shift;
    pos->shift = seen;
    pos->veiled = !pos->veiled;
}

/* Find what all squares are for a piece that sees otherwise, and takes up one square. */
static __attribute__((noinline)) void fill_piece_view(const Tables *game, Position *pos,
                                                      int piece) {
    pos->work += game->size;
    for (int q = 0; q < game->size; q++) {
        pos->plain[q] = class_shift_seen_by(game, pos, piece, q);
    }
}

/* Give squares the classes that they have for a piece on one of them, or their own ones for 0.

   Moves are made while nothing is veiled. */
static RARE void view_board_as_slow(const Tables *game, Position *pos, int piece, int s) {
    if (pos->veiled) {
        swap_views(pos);
    }
    if (!has_special_view(game, piece)) {
        return;
    }
    int seer = piece * game->size + s;
    if (pos->seer != seer && is_large_piece(game, piece)) {
        fill_large_piece_view(game, pos, piece, s);
    } else if (pos->seer / game->size != piece) {
        fill_piece_view(game, pos, piece);
    }
    pos->seer = seer;
    swap_views(pos);
}

static inline void view_board_as(const Tables *game, Position *pos, int piece, int s) {
    if (game->veiling && (pos->veiled || has_special_view(game, piece))) {
        view_board_as_slow(game, pos, piece, s);
    }
}

/* Take a piece, and write down what undoes it. */
static void capture(const Tables *game, Position *pos, int square, int32_t *top) {
    int piece = pos->board[square];
    top[0] = square;
    top[1] = piece;
    top[2] = remove_from_piece_list(game, pos, (piece - 1) & 1, square);
    top[3] = pos->made[square];
    pos->made[square] = UNKNOWN;
    lift(game, pos, square);
    if (game->held[piece]) {
        pos->hands[pos->side * game->kinds + game->held[piece] - 1]++;
    }
}

/* The place behind one in the list of moves; the same one where that is the last: what is listed
   there is written over, and `checked_list_end` says so. */
static inline int next_move_index(const Position *pos, int at) {
    return at + (at < pos->last_listed);
}

/* Write down a move that is no castling. */
static void write_move(Position *pos, int m, int origin, int target, int becomes, int node) {
    pos->moves[m].origin = origin;
    pos->moves[m].target = target;
    pos->moves[m].becomes = becomes;
    pos->moves[m].node = node;
    pos->moves[m].partner = 0;
    pos->moves[m].flags = 0;
}

/* Whether a move is a pass, which changes nothing, and is no move of its piece. */
static int is_pass(const Tables *game, Position *pos, int m) {
    int origin = pos->moves[m].origin;
    if (pos->moves[m].target != origin || pos->moves[m].flags & PASSANT || pos->moves[m].partner) {
        return 0;
    }
    int piece = pos->board[origin];
    return pos->moves[m].becomes == piece && game->stays[piece] &&
           !captures_en_route(game, pos, pos->moves[m].node)[0];
}

/* Write a move down at another place of the list as well; that place. */
static int copy_move(Position *pos, int m, int at) {
    pos->moves[at] = pos->moves[m];
    return at;
}
