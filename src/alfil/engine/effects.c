/* What moves change beside what goes and what they capture.

   Captures explode or turn to stone, walls are built, pieces turn over or are left behind. What
   follows from a move of itself is found when it is made; what its mover chooses stands in its
   flags, behind `EXTRA`. Moves that change nothing of the sort lack `CHANGING` there. */

/* Put something else on a square, 0 for nothing, and write down what undoes it. */
static void change_square(const Tables *game, Position *pos, int square, int piece, int32_t *top) {
    int before = pos->board[square];
    top[0] = square;
    top[1] = before;
    top[3] = pos->made[square];
    pos->made[square] = UNKNOWN;
    if (before) {
        if (before != game->pieces) {
            top[2] = remove_from_piece_list(game, pos, (before - 1) & 1, square);
        }
        lift(game, pos, square);
    }
    if (piece) {
        if (piece != game->pieces) {
            add_to_piece_list(game, pos, (piece - 1) & 1, square, pos->counts[(piece - 1) & 1]);
        }
        put(game, pos, square, piece);
    }
}

/* Take back a `change_square`. */
static void undo_square_change(const Tables *game, Position *pos, int32_t *top) {
    int square = top[0];
    int before = top[1];
    int piece = pos->board[square];
    if (piece) {
        if (piece != game->pieces) {
            remove_from_piece_list(game, pos, (piece - 1) & 1, square);
        }
        lift(game, pos, square);
    }
    if (before) {
        if (before != game->pieces) {
            add_to_piece_list(game, pos, (before - 1) & 1, square, top[2]);
        }
        put(game, pos, square, before);
    }
    pos->made[square] = top[3];
}

/* Take what stands around a square, where another piece is, and does not withstand it; how many
   pieces. */
static inline int explode_at(const Tables *game, Position *pos, int square, int32_t *top) {
    int count = 0;
    int around = game->around[square];
    for (int x = 0; x < game->pool[around]; x++) {
        int q = game->pool[around + 1 + x];
        if (pos->board[q] && game->blast[pos->board[q]] & TAKEN_ALONG &&
            (!has_large_pieces(game) || pos->anchor[q] != pos->anchor[square])) {
            capture(game, pos, anchor_square(game, pos, q), top + 4 * count);
            count++;
        }
    }
    return count;
}

/* Take what stands around the piece on a square and does not withstand it; how many pieces. */
static int explode(const Tables *game, Position *pos, int square, int32_t *top) {
    const int32_t *body = occupied_offsets(game, pos->board[square]);
    int count = 0;
    for (int x = 0; x < body[0]; x++) {
        count += explode_at(game, pos, square + body[1 + x], top + 4 * count);
    }
    return count;
}

/* Add the own squares of the pieces that one finds where it would stand. */
static void add_overlapped_pieces(const Tables *game, const Position *pos, Squares *set, int piece,
                                  int square) {
    const int32_t *body = occupied_offsets(game, piece);
    for (int x = 0; x < body[0]; x++) {
        int q = square + body[1 + x];
        if (pos->board[q] && pos->board[q] != game->pieces) {
            add_square(set, anchor_square(game, pos, q));
        }
    }
}

/* Add what an effect of a piece, standing or thought of on a square, has in its range. */
static void add_range_of_effect(const Tables *game, Position *pos, int s, int piece,
                                const int32_t *effect, Squares *found) {
    view_board_as(game, pos, piece, s);
    int i = effect[1];
    while (i < effect[2]) {
        uint64_t w = game->nodes[i];
        int q = (int)(w & SQUARE);
        uint64_t t = w >> pos->shift[q];
        int taken = t & FORMS ? game->taken[i] : 0;
        for (int y = 0; y < game->pool[taken]; y++) {
            add_overlapped_pieces(game, pos, found, piece, game->pool[taken + 1 + y]);
        }
        if (t & FORMS && q != s) {
            add_overlapped_pieces(game, pos, found, piece, q);
        }
        i = next_node(i, w, t);
    }
    view_board_as(game, pos, 0, s);
}

/* Add what those effects of a piece that do something have in their range. */
static void add_range_of_effects(const Tables *game, Position *pos, int s, int piece,
                                 int effect_bits, Squares *found) {
    int ranges = game->ranges[piece * game->size + s];
    for (int x = 0; x < game->pool[ranges] / 4; x++) {
        const int32_t *effect = game->pool + ranges + 1 + 4 * x;
        if (effect[0] & effect_bits) {
            add_range_of_effect(game, pos, s, piece, effect, found);
        }
    }
}

/* Whether the piece on one square has another square in the range of an effect. */
static RARE int has_in_effect_range(const Tables *game, Position *pos, int s, int square,
                                    int effect_bits) {
    Squares found = {{0}};
    add_range_of_effects(game, pos, s, pos->board[s], effect_bits, &found);
    return has_square(&found, square);
}

/* Whether another piece has the one on a square in the range of an effect. */
static RARE int is_in_effect_range(const Tables *game, Position *pos, int square, int effect_bits) {
    // Asked of every piece at every position, so that what no piece does is not looked for.
    for (int side = 0; game->effect_bits & effect_bits && side < 2; side++) {
        for (int j = 0; j < pos->counts[side]; j++) {
            int s = pos->lists[side * game->size + j];
            if (s != square && game->ranges[pos->board[s] * game->size + s] &&
                has_in_effect_range(game, pos, s, square, effect_bits)) {
                return 1;
            }
        }
    }
    return 0;
}

/* Whether a piece cannot move because another one immobilises it. */
static inline int is_immobilised(const Tables *game, Position *pos, int square) {
    if (!game->ranges) {
        return 0;
    }
    for (int x = 1; game->holding && x < pos->holds[0]; x += 2) {
        if (pos->holds[1 + x] == square) {
            return 1;
        }
    }
    return is_in_effect_range(game, pos, square, FREEZES);
}

/* Take what a piece burns that has ended on a square; how many pieces. */
static RARE int burn_in_range(const Tables *game, Position *pos, int piece, int square,
                              int32_t *top) {
    Squares found = {{0}};
    int count = 0;
    add_range_of_effects(game, pos, square, piece, BURNS, &found);
    for (int word = 0; word < game->words; word++) {
        for (uint32_t left = found.words[word]; left; left &= left - 1) {
            int q = 32 * word + lowest_bit(left);
            if (q != square && pos->board[q]) {
                capture(game, pos, q, top + 4 * count);
                count++;
            }
        }
    }
    return count;
}

/* Write down who holds whom, behind which a move notes what undoes it. */
static RARE void save_hold_pairs(Position *pos) {
    int32_t *top = pos->undo + pos->undone;
    int count = pos->holds[0];
    for (int x = 0; x <= count; x++) {
        top[x] = pos->holds[x];
    }
    top[count + 1] = count;
    pos->undone += count + 2;
}

/* Bring back who held whom, which stands last in `undo`. */
static RARE void restore_hold_pairs(Position *pos) {
    int count = pos->undo[pos->undone - 1];
    pos->undone -= count + 2;
    for (int x = 0; x <= count; x++) {
        pos->holds[x] = pos->undo[pos->undone + x];
    }
}

/* How many steps of a king a square is from another one, so many files and ranks away. */
static int king_distance(int files, int ranks) {
    int across = files < 0 ? -files : files;
    int along = ranks < 0 ? -ranks : ranks;
    return across > along ? across : along;
}

/* How far a square is from another one as a side sees it: the nearest, then forward, then left. */
static int distance_sort_key(const Tables *game, int side, int from, int to) {
    int x = game->file_of[to] - game->file_of[from];
    int y = to / game->files - from / game->files;
    x = side ? -x : x;
    y = side ? -y : y;
    return (king_distance(x, y) * 4096 + 2048 - y) * 4096 + 2048 + x;
}

/* What a move has touched, and where it came to. */
typedef struct {
    Squares touched, came;
} TouchedSquares;

/* Whether an effect of the piece on a square held another one, when moves so far are looked at. */
static int still_holds(const int32_t *before, int s, int q, const TouchedSquares *trace) {
    if (has_square(&trace->touched, s) || has_square(&trace->touched, q)) {
        return 0;
    }
    for (int x = 0; x < before[0]; x += 2) {
        if (before[1 + x] == s && before[2 + x] == q) {
            return 1;
        }
    }
    return 0;
}

/* Add what one effect of the piece on a square holds after a move. */
static void add_hold_pairs(const Tables *game, Position *pos, int s, const int32_t *effect,
                           const int32_t *before, const TouchedSquares *trace) {
    int side = (pos->board[s] - 1) & 1;
    int came = has_square(&trace->came, s);
    int left = effect[3] ? effect[3] : game->size;
    Squares found = {{0}};
    add_range_of_effect(game, pos, s, pos->board[s], effect, &found);
    // First those that it has, by square; then those that came; or the nearest, where it came.
    for (int again = 0; again < 2; again++) {
        int last = -1;
        while (left) {
            int next = game->size;
            int least = INT32_MAX;
            for (int q = 0; q < game->size; q++) {
                int far = came ? distance_sort_key(game, side, s, q) : q;
                int fit = came ? effect[0] & SEIZES && !again
                          : again ? effect[0] & CATCHES && has_square(&trace->came, q)
                                  : still_holds(before, s, q, trace);
                if (has_square(&found, q) && far > last && far < least && fit) {
                    next = q;
                    least = far;
                }
            }
            if (next == game->size) {
                break;
            }
            if (pos->holds[0] + 2 > game->most_held) {
                abort_call(game, ENDLESS);
                return;
            }
            last = least;
            left--;
            int32_t *pair = pos->holds + 1 + pos->holds[0];
            pair[0] = s;
            pair[1] = next;
            pos->holds[0] += 2;
        }
    }
}

/* Note who holds whom after a move; `before` is how that was. */
static RARE void update_hold_pairs(const Tables *game, Position *pos, const int32_t *before,
                                   const TouchedSquares *trace) {
    pos->holds[0] = 0;
    for (int s = 0; s < game->size; s++) {
        int stands = pos->board[s] != game->pieces && anchor_square(game, pos, s) == s;
        int piece = stands ? pos->board[s] : 0;
        int ranges = game->ranges[piece * game->size + s];
        for (int x = 0; x < game->pool[ranges] / 4; x++) {
            const int32_t *effect = game->pool + ranges + 1 + 4 * x;
            if (effect[0] & (SEIZES | CATCHES)) {
                add_hold_pairs(game, pos, s, effect, before, trace);
            }
        }
    }
}

/* Whether a piece of a side stands on a square. */
static int is_piece_of_side(const Tables *game, Position *pos, int square, int side) {
    int piece = pos->board[square];
    return piece && piece != game->pieces && ((piece - 1) & 1) == side;
}

/* How many pieces of the other side stand in a row on a ray, up to one of a side's own. */
static int count_enclosed_on_ray(const Tables *game, Position *pos, int ray, int side) {
    int count = 0;
    while (count < game->pool[ray] &&
           is_piece_of_side(game, pos, game->pool[ray + 1 + count], 1 - side)) {
        count++;
    }
    return (count < game->pool[ray] &&
            is_piece_of_side(game, pos, game->pool[ray + 1 + count], side))
               ? count
               : 0;
}

/* Add what a side encloses or touches from a square, by its own squares. */
static void add_flipped_pieces(const Tables *game, Position *pos, int square, int side,
                               Squares *turned) {
    int around = game->turning == ADJACENT ? game->around[square] : 0;
    for (int x = 0; x < game->pool[around]; x++) {
        int q = game->pool[around + 1 + x];
        if (is_piece_of_side(game, pos, q, 1 - side)) {
            add_square(turned, anchor_square(game, pos, q));
        }
    }
    for (int n = 0; game->turning == ENCLOSED && n < 8; n++) {
        int ray = game->rays[8 * square + n];
        for (int x = 0, end_x = count_enclosed_on_ray(game, pos, ray, side); x < end_x; x++) {
            add_square(turned, anchor_square(game, pos, game->pool[ray + 1 + x]));
        }
    }
}

/* Turn over what the piece that a move brings to a square encloses or touches; how many squares
   change. The own square of one of several squares is another one then. */
static int flip_pieces(const Tables *game, Position *pos, int square, int32_t *top) {
    const int32_t *body = occupied_offsets(game, pos->board[square]);
    Squares turned = {{0}};
    int count = 0;
    for (int x = 0; x < body[0]; x++) {
        add_flipped_pieces(game, pos, square + body[1 + x], pos->side, &turned);
    }
    for (int q = 0; q < game->size; q++) {
        if (has_square(&turned, q)) {
            int piece = ((pos->board[q] - 1) ^ 1) + 1;
            const int32_t *squares = occupied_offsets(game, pos->board[q]);
            int far = q + squares[squares[0]];
            if (far != q) {
                change_square(game, pos, q, 0, top + 4 * count);
                count++;
            }
            change_square(game, pos, far, piece, top + 4 * count);
            count++;
        }
    }
    return count;
}

/* Turn what has come to a square to stone, all of it; how many squares. */
static int petrify(const Tables *game, Position *pos, int square, int32_t *top) {
    const int32_t *body = occupied_offsets(game, pos->board[square]);
    for (int x = 0; x < body[0]; x++) {
        change_square(game, pos, square + body[1 + x], game->pieces, top + 4 * x);
    }
    return body[0];
}

/* Build walls where a piece stood that has gone to another square; how many. */
static int wall_vacated_squares(const Tables *game, Position *pos, int piece, int square, int32_t *top) {
    const int32_t *body = occupied_offsets(game, piece);
    int count = 0;
    for (int x = 0; x < body[0]; x++) {
        if (!pos->board[square + body[1 + x]]) {
            change_square(game, pos, square + body[1 + x], game->pieces, top + 4 * count);
            count++;
        }
    }
    return count;
}

/* The square on which a move leaves a piece from the hand. */
static int gating_square(Position *pos, int m) {
    if ((pos->moves[m].flags >> EXTRA) & 1) {
        return (pos->moves[m].partner - 1) >> 11;
    }
    return pos->moves[m].origin;
}

/* Build the wall, or leave the piece, that a move has chosen; how many squares change. */
static int place_wall_or_gated_piece(const Tables *game, Position *pos, int m, int extra,
                                     int32_t *top) {
    int count = 0;
    if (game->gating) {
        int piece = 2 * (extra >> 1) - 1 + pos->side;
        change_square(game, pos, gating_square(pos, m), piece, top);
        pos->hands[pos->side * game->kinds + (extra >> 1) - 1]--;
        return 1;
    }
    if (game->walling == DUCK) {
        for (int q = 0; q < game->size; q++) {
            if (pos->board[q] == game->pieces && !game->holes[q]) {
                change_square(game, pos, q, 0, top + 4 * count);
                count++;
            }
        }
    }
    change_square(game, pos, extra - 1, game->pieces, top + 4 * count);
    return count + 1;
}

/* Change what a move changes besides, its piece on its way already; how many squares.

   A drop has no `piece` that went; `taken` is how many pieces the move itself captures. */
static int apply_move_effects(const Tables *game, Position *pos, int m, int piece, int taken,
                              int32_t *top) {
    int origin = pos->moves[m].origin;
    int target = pos->moves[m].target;
    int count = 0;
    int perishes = game->burning && is_in_effect_range(game, pos, target, SINGES);
    if (origin == game->size) {
        pos->hands[pos->side * game->kinds + pos->moves[m].node] += game->endless;
        if (game->setting) {
            pos->made[target] = 0;
        }
    }
    if (taken && game->exploding) {
        if (game->blast[piece] & PERISHING) {
            change_square(game, pos, target, 0, top);
            count = 1;
        }
    } else if (taken && game->blast[piece] & PETRIFYING) {
        count = petrify(game, pos, target, top);
    } else if (game->turning) {
        count = flip_pieces(game, pos, target, top);
    }
    if (perishes && !count && !(taken && game->exploding)) {
        change_square(game, pos, target, 0, top);
        count = 1;
    }
    if (game->walling == LEFT && origin < game->size) {
        count += wall_vacated_squares(game, pos, piece, origin, top + 4 * count);
    }
    int extra = pos->moves[m].flags >> EXTRA;
    if (extra) {
        count += place_wall_or_gated_piece(game, pos, m, extra, top + 4 * count);
    }
    return count;
}

/* Undo what a move changed besides; the place behind what it captured. */
static int32_t *undo_move_effects(const Tables *game, Position *pos, int m, int32_t *top) {
    int count = top[-1];
    top--;
    while (count) {
        count--;
        top -= 4;
        undo_square_change(game, pos, top);
    }
    int32_t *hand = pos->hands + pos->side * game->kinds;
    int extra = pos->moves[m].flags >> EXTRA;
    if (extra && game->gating) {
        hand[(extra >> 1) - 1]++;
    }
    if (pos->moves[m].origin == game->size) {
        hand[pos->moves[m].node] -= game->endless;
    }
    return top;
}
