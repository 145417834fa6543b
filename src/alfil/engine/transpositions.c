/* The table of positions that were searched.

   An entry is two numbers: the second is

       move << 30 | score + 2^20 << 9 | depth << 2 | bound

   and the first is the key of its position, xor the second. So threads may share the table without
   locks: where two write one entry at once, it has the key of neither. */

/* Scores of mates, less a move for each to come, and what is no score. */
enum { MATE = 1000000, SURE = 990000, UNTOLD = 2000000 };
/* What an entry tells of the score. */
enum { UPPER = 1, EXACT, LOWER };

/* The key of a position before its moves are listed: that of the trail is in it, legal or not. */
static uint64_t transposition_key(const Position *pos) {
    const Ply *last = pos->line + pos->past;
    uint64_t trail = pos->trail ? hash_number((uint64_t)pos->trail) : 0;
    uint64_t exchange = pos->exchanged ? hash_of_squares(EXCHANGED, pos->exchanged, 0) : 0;
    return (last->board + last->rights + trail + exchange) & MASK;
}

/* A key as entries have it: what another round of searching has written is not met again. */
static uint64_t entry_key_in_round(const Search *search, uint64_t key) {
    return key ^ (search->round ? hash_number((uint64_t)search->round) : 0);
}

/* The word of a position's entry, 0 where there is none. */
static uint64_t probe_table(const Search *search, uint64_t key) {
    const uint64_t *entry = search->entries + 2 * (key & (uint64_t)search->last_entry);
    uint64_t word = __atomic_load_n(entry + 1, __ATOMIC_RELAXED);
    return (__atomic_load_n(entry, __ATOMIC_RELAXED) ^ word) == entry_key_in_round(search, key)
               ? word
               : 0;
}

/* The score of an entry, counted from the root. */
static int score_of_entry(uint64_t word, int ply) {
    int score = (int)((word >> 9) & 2097151) - 1048576;
    if (score > SURE) {
        return score - ply;
    }
    return score < -SURE ? score + ply : score;
}

/* The score that an entry tells, `UNTOLD` where it was not searched deep enough for that. */
static int usable_entry_score(uint64_t word, int depth, int alpha, int beta, int ply) {
    int score = score_of_entry(word, ply);
    int bound = (int)(word & 3);
    if (!word || (int)((word >> 2) & 127) < depth || (bound == LOWER && score < beta)) {
        return UNTOLD;
    }
    return (bound == UPPER && score > alpha) ? UNTOLD : score;
}

/* Write an entry; mates are counted from its own position. */
static void store_entry(Search *search, uint64_t key, uint64_t move, int score, int depth, int bound,
                        int ply) {
    if (score > SURE) {
        score += ply;
    } else if (score < -SURE) {
        score -= ply;
    }
    uint64_t *entry = search->entries + 2 * (key & (uint64_t)search->last_entry);
    uint64_t word = (move << 30) | ((uint64_t)(score + 1048576) << 9) | ((uint64_t)depth << 2) |
                    (uint64_t)bound;
    __atomic_store_n(entry, entry_key_in_round(search, key) ^ word, __ATOMIC_RELAXED);
    __atomic_store_n(entry + 1, word, __ATOMIC_RELAXED);
}

/* What the best score of a search with a window tells. */
static int bound_of(int best, int alpha, int beta) {
    if (best >= beta) {
        return LOWER;
    }
    return best > alpha ? EXACT : UPPER;
}

/* A static evaluation, or what the table of positions knows better. */
static int refine_evaluation(int now, uint64_t word, int ply) {
    int score = score_of_entry(word, ply);
    int bound = (int)(word & 3);
    int raises = bound != UPPER && score > now;
    int lowers = bound != LOWER && score < now;
    return word && (raises || lowers) ? score : now;
}
