/* Counts of moves and of sequences, random games, and what a game asks. */

/* How often some nodes make a move. */
static int count_nodes(const Tables *game, Position *pos, int i, int end) {
    int total = 0;
    while (i < end) {
        uint64_t w = game->nodes[i];
        uint64_t t = w >> pos->shift[(int)(w & SQUARE)];
        total += (int)(t & FORMS);
        i = next_node(i, w, t);
    }
    return total;
}

/* How many moves a piece has that is no royal, all of them legal. */
static int count_free(const Tables *game, Position *pos, int s) {
    Run run = first_run(game, pos, s);
    int total = count_nodes(game, pos, run.at, run.end);
    while (next_run(game, pos, s, &run)) {
        total += count_nodes(game, pos, run.at, run.end);
    }
    return total;
}

/* How many legal drops there are, those that mate among them. */
static int count_drops(const Tables *game, Position *pos, int at) {
    int droppable = game->droppable[pos->side];
    int total = 0;
    for (int x = 0; x < game->pool[droppable]; x++) {
        int kind = in_hand(game, pos, pos->side, x);
        int p = game->pool[droppable + 2 + 2 * x];
        if (kind < 0) {
            continue;
        }
        if (pos->checks || pos->hopped || game->drop_check[p] == QUIETLY) {
            total += drop(game, pos, at, kind, p) - at;
        } else if (game->drop_check[p]) {
            int sources = sources_of(game, p, pos->royals[1 - pos->side]);
            for (int y = 0; y < game->pool[sources]; y++) {
                int q = game->pool[sources + 1 + y];
                if (is_landing(game, pos, p, q)) {
                    total += !misplaced(game, pos, p, q);
                }
            }
        } else {
            for (int word = 0; word < game->words; word++) {
                total += popcount(landing(game, pos, p, word) & ~pos->occupied[word]);
            }
        }
    }
    return total;
}

/* How many of the drops counted mate and may not; `danger` must have been asked last. */
static int mating(const Tables *game, Position *pos, int at) {
    int droppable = game->droppable[pos->side];
    int k = pos->royals[1 - pos->side];
    int end = at;
    for (int x = 0; x < game->pool[droppable]; x++) {
        int kind = in_hand(game, pos, pos->side, x);
        int p = game->pool[droppable + 2 + 2 * x];
        if (kind < 0 || !game->drop_mate[p]) {
            continue;
        }
        if (game->hopping || pos->careful) {
            end = drop(game, pos, end, kind, p);
            continue;
        }
        int sources = sources_of(game, p, k);
        for (int y = 0; y < game->pool[sources]; y++) {
            int q = game->pool[sources + 1 + y];
            if (is_landing(game, pos, p, q) && !misplaced(game, pos, p, q) &&
                may_mate(game, pos, p, q)) {
                int touched = pos->checks || (pos->marks[q] == pos->stamp && pos->hopped);
                if (!(touched && exposes(game, pos, game->size, q, p, 0))) {
                    write(pos, end, game->size, q, p, kind);
                    end++;
                }
            }
        }
    }
    int count = end - at;
    return count - (without_mates(game, pos, at, end) - at);
}

/* How many legal moves there are; `at` is free room in the list of moves.

   In `order` stands, for each piece of the mover's list, how many it and those before it have. */
int64_t count_moves(const Tables *game, Position *pos, int at) {
    if (game->take_first || game->stuck_passes) {
        return gather(game, pos, at) - at;
    }
    danger(game, pos);
    show_trail(game, pos, PASSED);
    int size = game->size;
    int side = pos->side;
    int k = pos->royals[side];
    int32_t *base = pos->lists + side * size;
    int32_t *bd = pos->board;
    int quiet = !pos->checks && !pos->hopped;
    int total = 0;
    for (int j = 0, end_j = movers(game, pos); j < end_j; j++) {
        int s = base[j];
        int mode = FREE;
        if (!quiet || pos->marks[s] == pos->stamp || s == k) {
            mode = mode_of(game, pos, s);
        }
        if (mode == FREE && is_simple(game, pos, bd[s])) {
            total += count_free(game, pos, s);
        } else {
            total += list_piece(game, pos, at, s, mode, ALL) - at;
        }
        pos->order[j] = total;
    }
    show_trail(game, pos, VACANT);
    total += count_drops(game, pos, at);
    if (game->mating) {
        total -= mating(game, pos, at);
    }
    return total;
}

/* The number of sequences of `depth` legal moves, 1 at least. */
int64_t perft(const Tables *game, Position *pos, int at, int depth) {
    if (depth == 1) {
        return count_moves(game, pos, at);
    }
    int64_t total = 0;
    int end = gather(game, pos, at);
    int m = at;
    while (m < end) {
        if (!(pos->careful && fate(game, pos, m))) {
            make(game, pos, m);
            total += perft(game, pos, end, depth - 1);
            unmake(game, pos, m);
        }
        m++;
    }
    return total;
}

/* The legal moves, listed or counted only; `at` is free room in the list. */
static Replies count_replies(const Tables *game, Position *pos, int at) {
    if (pos->careful || (pos->trail && game->rules[RULE_REPETITION])) {
        // Moves that are judged one by one are listed to be counted, and keys tell of a trail by them.
        int end = gather(game, pos, at);
        return (Replies){end - at, at, end};
    }
    return (Replies){(int)count_moves(game, pos, at), -1, at};
}

/* Where the legal move stands that the seed has chosen; all are as likely. */
static int choose(const Tables *game, Position *pos, const Replies *replies, uint64_t seed) {
    int chosen = (int)((seed >> 16) % (uint64_t)replies->count);
    if (replies->first >= 0) {
        return replies->first + chosen;
    }
    int side = pos->side;
    int at = replies->free;
    danger(game, pos);
    int j = 0;
    int before = 0;
    while (j < pos->counts[side] && pos->order[j] <= chosen) {
        before = pos->order[j];
        j++;
    }
    if (j < pos->counts[side]) {
        int s = pos->lists[side * game->size + j];
        show_trail(game, pos, PASSED);
        int mode = mode_of(game, pos, s);
        list_piece(game, pos, at, s, mode, ALL);
        show_trail(game, pos, VACANT);
    } else {
        int end = list_drops(game, pos, at);
        without_mates(game, pos, at, end);
    }
    return at + (chosen - before);
}

/* Play games of random moves; the number of moves made.

   A game goes on until it has ended, or for `limit` moves. `out` counts games by their result, those
   that did not end as 0; behind `RESULTS` stands the seed of the next game. */
int64_t simulate(const Tables *game, Position *pos, int games, int limit, uint64_t seed,
                 int64_t *out) {
    int64_t total = 0;
    int begun = pos->past;
    while (games) {
        games--;
        int found = 0;
        for (;;) {
            Replies replies = count_replies(game, pos, 1);
            settle_key(game, pos, &replies);
            found = result_of(game, pos, &replies, 0);
            if (found || !replies.count || pos->past - begun == limit) {
                break;
            }
            seed = (seed * UINT64_C(25214903917) + 11) & UINT64_C(281474976710655);
            go_on(game, pos, choose(game, pos, &replies, seed));
        }
        out[found]++;
        total += pos->past - begun;
        while (pos->past > begun) {
            go_back(game, pos);
        }
    }
    out[4 * RESULTS] = (int64_t)seed;
    return total;
}

/* What tells a move of the list from all others of the game; below zero for drops. */
static int64_t number_of(const Tables *game, const Position *pos, const Move *move) {
    int to = move->target;
    int becomes = move->becomes;
    if (move->origin == game->size) {
        return -1 - (int64_t)becomes * game->size - to;
    }
    if (move->node == game->nothing) {
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

/* `out` begins with whether the mover is in check and how the game has ended; then follows for each
   move a number that no other move of the game has. The number of moves. */
int64_t survey(const Tables *game, Position *pos, int at, int64_t *out) {
    int end = (int)generate(game, pos, at);
    Replies replies = {end - at, at, end};
    out[0] = in_danger(game, pos, pos->side);
    settle_key(game, pos, &replies);
    out[1] = result_of(game, pos, &replies, 0);
    for (int m = at; m < end; m++) {
        out[2 + m - at] = number_of(game, pos, pos->moves + m);
    }
    return end - at;
}

/* Make the move with a number, one of so many that are listed; 0 where none has it, or the game has
   ended. */
int64_t go_by(const Tables *game, Position *pos, int at, int64_t *out, int count, int64_t number) {
    for (int x = 0; x < count && !out[1]; x++) {
        if (out[2 + x] == number) {
            go_on(game, pos, at + x);
            return 1;
        }
    }
    return 0;
}
