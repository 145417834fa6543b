/* Counts of moves and of sequences, random games, and what a game asks. */

/* How often some nodes make a move. */
static int count_moves_by_nodes(const Tables *game, Position *pos, int node, int end) {
    int total = 0;
    while (node < end) {
        uint64_t w = game->nodes[node];
        uint64_t t = w >> pos->shift[(int)(w & SQUARE)];
        total += (int)(t & FORMS);
        node = next_node(node, w, t);
    }
    return total;
}

/* The same of all nodes of a piece that stand under conditions. */
static __attribute__((noinline)) int count_conditional_moves(const Tables *game, Position *pos,
                                                             int s) {
    Run run = first_run(game, pos, s);
    int total = 0;
    while (next_run(game, pos, s, &run)) {
        total += count_moves_by_nodes(game, pos, run.at, run.end);
    }
    release_run(pos, &run);
    return total;
}

/* How many moves a piece has that is no royal, all of them legal. */
static inline int count_moves_known_legal(const Tables *game, Position *pos, int s) {
    const Cell *cell = cell_of(game, pos->board[s], s);
    int total = count_moves_by_nodes(game, pos, cell->begin, cell->end);
    return LIKELY(!cell->parts) ? total : total + count_conditional_moves(game, pos, s);
}

/* Whether marks tell that a node makes legal moves, or none: 1, 0, or -1 where it is to be tried.

   A move may only shield a royal, but where a path goes on over it; a capture may change more squares than
   it goes to. */
static inline int legality_by_marks(const Tables *game, const Position *pos, int node, int q,
                                    int mode) {
    int marked = is_royal_safety_square(pos, q);
    int shift = pos->shift[q];
    if (shift == PASSED && game->passing[node]) {
        return -1;
    }
    if (mode == ONLY_TOUCHING) {
        return marked ? -1 : 0;
    }
    if (mode == FREE) {
        return 1;
    }
    int quiet = shift == VACANT || shift == PASSED;
    return may_expose_if_occupied(pos, q) || (game->effects && !quiet) ? -1 : 1;
}

/* How many legal moves some nodes of a piece make, those listed that marks do not tell. */
static int count_node_moves_by_marks(const Tables *game, Position *pos, int at, int s, int node,
                                     int end, int mode) {
    int total = 0;
    while (node < end) {
        uint64_t w = game->nodes[node];
        int q = (int)(w & SQUARE);
        uint64_t t = w >> pos->shift[q];
        if (t & FORMS) {
            int known = legality_by_marks(game, pos, node, q, mode);
            if (known < 0) {
                total += list_moves_by_nodes(game, pos, at, s, node, node + 1, mode, ALL) - at;
            } else if (!(game->twins[pos->board[s]] && is_duplicate_move(game, pos, s, node))) {
                total += known * (int)(t & FORMS);
            }
        }
        node = next_node(node, w, t);
    }
    return total;
}

/* How many legal moves a piece has of which all but some can be told by marks. */
static int count_piece_moves_by_marks(const Tables *game, Position *pos, int at, int s, int mode) {
    pos->noted = 0;
    Run run = first_run(game, pos, s);
    int total = count_node_moves_by_marks(game, pos, at, s, run.at, run.end, mode);
    while (next_run(game, pos, s, &run)) {
        total += run.part->steps
                     ? list_castlings(game, pos, at, s, run.part) - at
                     : count_node_moves_by_marks(game, pos, at, s, run.at, run.end, mode);
    }
    release_run(pos, &run);
    return total;
}

/* How many legal drops there are, those that mate among them. */
static int count_drops(const Tables *game, Position *pos, int at) {
    int droppable = game->droppable[pos->side];
    int total = 0;
    for (int x = 0, end_x = count_drop_options(game, pos); x < end_x; x++) {
        int kind = hand_kind_of_drop(game, pos, pos->side, x);
        int p = game->pool[droppable + 2 + 2 * x];
        if (kind < 0) {
            continue;
        }
        if (pos->checks || pos->hopped || game->drop_check[p] == QUIETLY) {
            total += list_drops_of_piece(game, pos, at, kind, p) - at;
        } else if (game->drop_check[p]) {
            int sources = attack_sources_of(game, p, pos->royals[1 - pos->side]);
            for (int y = 0; y < game->pool[sources]; y++) {
                int q = game->pool[sources + 1 + y];
                if (is_free_drop_square(game, pos, p, q)) {
                    total += !drop_square_illegality(game, pos, p, q);
                }
            }
        } else {
            for (int word = 0; word < game->words; word++) {
                total += popcount(drop_squares_of_word(game, pos, p, word) & ~pos->occupied[word]);
            }
        }
    }
    return total;
}

/* How many of the drops counted mate and may not; `find_checks` must have been asked last. */
static int count_barred_mating_drops(const Tables *game, Position *pos, int at) {
    int droppable = game->droppable[pos->side];
    int k = pos->royals[1 - pos->side];
    int end = at;
    for (int x = 0; x < game->pool[droppable]; x++) {
        int kind = hand_kind_of_drop(game, pos, pos->side, x);
        int p = game->pool[droppable + 2 + 2 * x];
        if (kind < 0 || !game->drop_mate[p]) {
            continue;
        }
        if (game->hopping || pos->careful) {
            end = list_drops_of_piece(game, pos, end, kind, p);
            continue;
        }
        int sources = attack_sources_of(game, p, k);
        for (int y = 0; y < game->pool[sources]; y++) {
            int q = game->pool[sources + 1 + y];
            if (is_free_drop_square(game, pos, p, q) && !drop_square_illegality(game, pos, p, q) &&
                may_be_barred_mate(game, pos, p, q)) {
                int touched = pos->checks || (is_royal_safety_square(pos, q) && pos->hopped);
                if (!(touched && exposes_royal(game, pos, game->size, q, p, 0))) {
                    write_move(pos, end, game->size, q, p, kind);
                    end = next_move_index(pos, end);
                }
            }
        }
    }
    int count = checked_list_end(game, pos, end) - at;
    return count - (remove_mating_drops(game, pos, at, end) - at);
}

/* How many legal moves there are; `at` is free room in the list of moves.

   In `order` stands, for each piece of the mover's list, how many it and those before it have. */
static int64_t count_legal_moves(const Tables *game, Position *pos, int at) {
    if (game->take_first || game->stuck_passes) {
        return generate_legal_unordered(game, pos, at) - at;
    }
    find_checks(game, pos);
    set_en_passant_class(game, pos, PASSED);
    int size = game->size;
    int side = pos->side;
    int k = pos->royals[side];
    int32_t *base = pos->lists + side * size;
    int32_t *bd = pos->board;
    int quiet = !pos->checks && !pos->hopped;
    int by_marks = pos->careful ? marks_decide_legality(game, pos) && !game->lenient &&
                                      !game->iron && !game->castling && !game->walling
                                : !(pos->trail && game->hopping);
    int total = 0;
    for (int j = 0, end_j = count_movable_pieces(game, pos); j < end_j; j++) {
        int s = base[j];
        int mode = FREE;
        if (!quiet || is_royal_safety_square(pos, s) || s == k) {
            mode = legality_mode_of(game, pos, s);
        }
        if (mode == FREE && has_simple_moves(game, pos, bd[s])) {
            total += count_moves_known_legal(game, pos, s);
        } else if (mode != TRIED && by_marks && !game->odd[bd[s]] &&
                   !has_special_view(game, bd[s])) {
            total += count_piece_moves_by_marks(game, pos, at, s, mode);
        } else {
            total += list_moves_of_piece(game, pos, at, s, mode, COUNTED) - at;
        }
        pos->order[j] = total;
    }
    set_en_passant_class(game, pos, VACANT);
    int drops = count_drops(game, pos, at);
    if (drops && game->mating) {
        drops -= count_barred_mating_drops(game, pos, at);
    }
    return total + drops;
}

/* Two numbers for a position and a depth: 126 bits that no other one will have. */
typedef struct {
    uint64_t first, second;
} PerftKey;

/* Take one more number into a key. */
static void mix_into_key(PerftKey *key, uint64_t number) {
    key->first = ((key->first + number + 1) * UINT64_C(6364136223846793005)) & INT64_MAX;
    key->first ^= key->first >> 31;
    key->second = ((key->second ^ number) * UINT64_C(2862933555777941757) +
                   UINT64_C(3037000493)) & INT64_MAX;
    key->second ^= key->second >> 29;
}

/* The key of a position from which sequences of so many moves are counted. */
static PerftKey perft_key(const Tables *game, const Position *pos, int depth) {
    PerftKey key = {(uint64_t)(2 * depth + pos->side), 0};
    if (game->round > 1) {
        key.first += (uint64_t)(pos->number % (2 * (int64_t)game->round)) << 16;
    }
    key.second = key.first;
    for (int q = 0; q < game->size; q++) {
        int piece = pos->board[q];
        int cap = game->remembered[piece];
        int made = pos->made[q] == UNKNOWN || pos->made[q] > cap ? cap : pos->made[q];
        mix_into_key(&key, (uint64_t)(cap ? piece + 4096 * (made + 3) : piece));
    }
    for (int x = 0; x < 2 * game->kinds; x++) {
        mix_into_key(&key, (uint64_t)pos->hands[x]);
    }
    mix_into_key(&key, (uint64_t)pos->trail + ((uint64_t)pos->exchanged << 32));
    mix_into_key(&key, (uint64_t)(pos->trail ? pos->victim : 0));
    key.second |= 1;
    return key;
}

/* The number of sequences after each move of a list has been made, of `depth` with that one. */
static int64_t perft_of_list(const Tables *game, Position *pos, Counting *counting, int at, int end,
                             int depth) {
    int64_t total = 0;
    for (int m = at; m < end && !counting->stop; m++) {
        if (!(pos->careful && royal_capture_result(game, pos, m))) {
            make(game, pos, m);
            total += perft(game, pos, counting, end, depth - 1);
            unmake(game, pos, m);
        }
    }
    return total;
}

/* The number of sequences of so many legal moves; counts are kept where moves are not judged one by
   one. */
int64_t perft(const Tables *game, Position *pos, Counting *counting, int at, int depth) {
    if (depth < 2) {
        return depth ? count_legal_moves(game, pos, at) : 1;
    }
    if (!counting->slots || pos->careful) {
        return perft_of_list(game, pos, counting, at, generate_legal_unordered(game, pos, at),
                             depth);
    }
    PerftKey key = perft_key(game, pos, depth);
    uint64_t *entry = counting->table + key.first % (uint64_t)counting->slots * 3;
    if (entry[0] != key.first || entry[1] != key.second) {
        int64_t total =
            perft_of_list(game, pos, counting, at, generate_legal_unordered(game, pos, at), depth);
        if (counting->stop) {
            return total;
        }
        entry[0] = key.first;
        entry[1] = key.second;
        entry[2] = (uint64_t)total;
    }
    return (int64_t)entry[2];
}

/* The number of sequences that begin with the move at m, of a list that has an end.

   Where `second` is not negative, they go on with that one of the moves there. */
int64_t perft_after(const Tables *game, Position *pos, Counting *counting, int m, int end,
                    int depth, int second) {
    if (depth > 1 && pos->careful && royal_capture_result(game, pos, m)) {
        return 0;
    }
    int64_t total = 0;
    make(game, pos, m);
    if (second < 0) {
        total = perft(game, pos, counting, end, depth - 1);
    } else {
        int last = (int)generate_legal_moves(game, pos, end);
        total = perft_after(game, pos, counting, end + second, last, depth - 1, -1);
    }
    unmake(game, pos, m);
    return total;
}

/* The legal moves, listed or counted only; `at` is free room in the list. */
static LegalMoves list_or_count_moves(const Tables *game, Position *pos, int at) {
    if (pos->careful || (pos->trail && game->rules[RULE_REPETITION])) {
        // Moves that are judged one by one are listed to be counted, and keys tell of a trail by them.
        int end = generate_legal_unordered(game, pos, at);
        return (LegalMoves){end - at, at, end};
    }
    return (LegalMoves){(int)count_legal_moves(game, pos, at), -1, at};
}

/* Where the legal move stands that the seed has chosen; all are as likely. */
static int random_legal_move(const Tables *game, Position *pos, const LegalMoves *replies,
                             uint64_t seed) {
    int chosen = (int)((seed >> 16) % (uint64_t)replies->count);
    if (replies->first >= 0) {
        return replies->first + chosen;
    }
    int side = pos->side;
    int at = replies->free;
    find_checks(game, pos);
    int j = 0;
    int before = 0;
    while (j < pos->counts[side] && pos->order[j] <= chosen) {
        before = pos->order[j];
        j++;
    }
    if (j < pos->counts[side]) {
        int s = pos->lists[side * game->size + j];
        set_en_passant_class(game, pos, PASSED);
        int mode = legality_mode_of(game, pos, s);
        list_moves_of_piece(game, pos, at, s, mode, ALL);
        set_en_passant_class(game, pos, VACANT);
    } else {
        int end = list_drops(game, pos, at);
        remove_mating_drops(game, pos, at, end);
    }
    return at + (chosen - before);
}

/* Play games of random moves; the number of moves made.

   A game goes on until it has ended, or for `limit` moves. `out` counts games by their result, those
   that did not end as 0; behind `RESULTS` stands the seed of the next game. */
int64_t play_random_games(const Tables *game, Position *pos, int games, int limit, uint64_t seed,
                          int64_t *out) {
    int64_t total = 0;
    int begun = pos->past;
    if (limit > pos->last_past - begun) {
        limit = pos->last_past - begun;
    }
    while (games) {
        games--;
        int found = 0;
        for (;;) {
            LegalMoves replies = list_or_count_moves(game, pos, 1);
            add_en_passant_to_key(game, pos, &replies);
            found = game_result(game, pos, &replies, 0);
            if (found || !replies.count || pos->past - begun == limit) {
                break;
            }
            seed = (seed * UINT64_C(25214903917) + 11) & UINT64_C(281474976710655);
            make_line_move(game, pos, random_legal_move(game, pos, &replies, seed));
        }
        out[found]++;
        total += pos->past - begun;
        while (pos->past > begun) {
            unmake_line_move(game, pos);
        }
    }
    out[WINNERS * RESULTS] = (int64_t)seed;
    return total;
}

/* What tells a move of the list from all others of the game; below zero for drops. */
static int64_t move_id_of(const Tables *game, const Position *pos, const Move *move) {
    int to = move->target;
    int becomes = move->becomes;
    if (move->origin == game->size) {
        return -1 - (int64_t)becomes * game->size - to;
    }
    if (move->node == NOTHING) {
        // Castling to files has no node of its own.
        int64_t found = ((INT64_C(65536) + becomes) * 2048 + move->origin) * 2048 + to;
        return found * 4194304 + move->partner;
    }
    int victim = 0;
    if (move->flags & PASSANT) {
        victim = pos->victim + 2;
    } else if (pos->board[to] && to != move->origin && !move->partner) {
        victim = 1;
    }
    return ((int64_t)move->node * game->pieces + becomes) * (game->size + 2) + victim;
}

int64_t list_moves_and_result(const Tables *game, Position *pos) {
    int64_t *told = pos->survey;
    int end = (int)generate_legal_moves(game, pos, 1);
    if (end - 1 > pos->most_surveyed) {
        abort_call(game, ENDLESS);
        end = 1 + pos->most_surveyed;
    }
    LegalMoves replies = {end - 1, 1, end};
    told[CHECKED] = is_in_check(game, pos, pos->side);
    add_en_passant_to_key(game, pos, &replies);
    told[RESULT] = game_result(game, pos, &replies, 0);
    told[COUNT] = end - 1;
    for (int m = 1; m < end; m++) {
        told[NUMBERS + m - 1] = move_id_of(game, pos, pos->moves + m);
    }
    return end - 1;
}

/* Make the move that is wanted of those that `survey` told; 0 where it is none of them, or the game has
   ended, and -1 without room for it. */
int64_t make_move_by_id(const Tables *game, Position *pos) {
    const int64_t *told = pos->survey;
    if (pos->past >= pos->last_past) {
        return -1;
    }
    for (int x = 0; x < told[COUNT] && !told[RESULT]; x++) {
        if (told[NUMBERS + x] == told[WANTED]) {
            make_line_move(game, pos, 1 + x);
            return 1;
        }
    }
    return 0;
}

/* Make moves with some numbers, one after the other, whatever ends the game; how many of them were
   legal, up to the first that was not. */
int64_t make_moves_by_id(const Tables *game, Position *pos, int at, const int64_t *numbers,
                         int count) {
    for (int x = 0; x < count; x++) {
        int end = (int)generate_legal_moves(game, pos, at);
        LegalMoves replies = {end - at, at, end};
        add_en_passant_to_key(game, pos, &replies);
        int m = at;
        while (m < end && move_id_of(game, pos, pos->moves + m) != numbers[x]) {
            m++;
        }
        if (m == end) {
            return x;
        }
        make_line_move(game, pos, m);
        if (pos->unmade) {
            pos->unmade = 0;
            return x;
        }
    }
    return count;
}
