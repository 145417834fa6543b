/* Pieces on squares, laid out when they are first asked for.

   Whoever made the tables lays out (src/alfil/game/move_layout.py), each piece × size + square once, behind
   all that is laid out already; it answers with the first node, or with 0 where that fails and the
   call comes to nothing. That number is published when the cell is finished, so that another thread
   finds either none or the whole of it. From `pieces` + 1 pieces on, the same numbers ask for
   sources. */

#define LIKELY(holds) __builtin_expect((holds) != 0, 1)

#ifdef __wasm__
__attribute__((import_module("env"), import_name("lay_out"))) int32_t lay_out(int32_t wanted);
#endif

/* Whether a piece aims at a royal, and at squares to which that may step. */
enum { AIMED = 1, BESIDE = 2 };

/* Have something laid out, and publish its number. */
static __attribute__((noinline, cold)) int32_t lay_out_and_publish(const Tables *game,
                                                                   int32_t *place, int wanted) {
#ifdef __wasm__
    int32_t number = lay_out(wanted);
#else
    int32_t number = ((int32_t(*)(int32_t))(uintptr_t)game->lay)(wanted);
#endif
    if (number) {
        __atomic_store_n(place, number, __ATOMIC_RELEASE);
    }
    return number;
}

/* Have whoever made the tables say that the call comes to nothing: that a piece on a square has more
   moves than can be listed (-1 less its number), or that all is too much work. */
static RARE void abort_call(const Tables *game, int reason) {
    int32_t nothing = 0;
    lay_out_and_publish(game, &nothing, reason);
}

/* The place after the last move of a list; all comes to nothing where there was no room for it. */
static inline int checked_list_end(const Tables *game, const Position *pos, int at) {
    if (!LIKELY(at < pos->last_listed)) {
        abort_call(game, ENDLESS);
    }
    return at;
}

/* The cell of a piece on a square. */
static inline const Cell *cell_of(const Tables *game, int p, int s) {
    int at = p * game->size + s;
    Cell *cell = game->cells + at;
    if (!LIKELY(__atomic_load_n(&cell->begin, __ATOMIC_ACQUIRE))) {
        lay_out_and_publish(game, &cell->begin, at);
    }
    return cell;
}

/* The list of the squares from which a piece aims at a square. */
static inline int32_t attack_sources_of(const Tables *game, int p, int target) {
    int at = p * game->size + target;
    int32_t sources = __atomic_load_n(game->sources + at, __ATOMIC_ACQUIRE);
    int wanted = (game->pieces + 1) * game->size + at;
    return LIKELY(sources) ? sources : lay_out_and_publish(game, game->sources + at, wanted);
}

/* The lists of the branches by which a piece on a square may capture a royal, by its square. */
static inline const int32_t *attack_lists_of(const Tables *game, int p, int s) {
    return game->aims + (int64_t)cell_of(game, p, s)->row * game->size;
}

/* The list of those that may capture a royal on one square. */
static inline int32_t attack_branches_of(const Tables *game, int p, int s, int royal) {
    return attack_lists_of(game, p, s)[royal];
}

/* What `reach` tells of a piece on a square and a royal on another one. */
static inline int attack_bits_of(const Tables *game, int p, int s, int royal) {
    return game->reach[game->reach_at[p] + game->grid[royal] - game->grid[s]];
}

/* Whether a piece on a square may ever capture a royal on another one. */
static inline int may_ever_attack(const Tables *game, int p, int s, int royal) {
    return attack_bits_of(game, p, s, royal) & AIMED;
}
