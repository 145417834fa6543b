/* What a move captures, and the royals that are lost by it. */

/* How many squares `nth_captured_square` has to be asked about. */
static int count_captured_squares(const Tables *game, Position *pos, int m) {
    if (has_large_pieces(game)) {
        return list_captured_pieces(game, pos, pos->moves + m);
    }
    return 1 + captures_en_route(game, pos, pos->moves[m].node)[0];
}

/* A square on which a move of the list may capture, no drop; the number of squares for none. */
static int nth_captured_square(const Tables *game, Position *pos, int m, int index) {
    if (has_large_pieces(game)) {
        return pos->prey[index];
    }
    if (index) {
        return nth_square_of_captures(game, pos, captures_en_route(game, pos, pos->moves[m].node),
                                      index - 1);
    }
    if (pos->moves[m].flags & PASSANT) {
        return pos->victim;
    }
    if (pos->moves[m].target == pos->moves[m].origin || pos->moves[m].partner) {
        return game->size;
    }
    return pos->moves[m].target;
}

/* How many royals of a sort a side has. */
static int count_royals(const Tables *game, Position *pos, int side, int royal_kind) {
    int count = 0;
    for (int j = 0, end_j = pos->counts[side]; j < end_j; j++) {
        if (game->royal[pos->board[pos->lists[side * game->size + j]]] == royal_kind) {
            count++;
        }
    }
    return count;
}

/* Whether a side loses its royals by what a move of the list, no drop, captures. */
static int captures_lose_royals(const Tables *game, Position *pos, int m, int side) {
    int taken = 0;
    for (int x = 0, end_x = count_captured_squares(game, pos, m); x < end_x; x++) {
        int square = nth_captured_square(game, pos, m, x);
        if (square < game->size) {
            int piece = pos->board[square];
            if (piece && ((piece - 1) & 1) == side) {
                if (game->royal[piece] == ANY) {
                    return 1;
                }
                if (game->royal[piece] == LAST) {
                    taken++;
                }
            }
        }
    }
    return taken && taken == count_royals(game, pos, side, LAST);
}

/* Whether a move of the list, no drop, takes royals: those of its own, too, where captures explode
   or what captures perishes. Where pieces burn, or take up several squares, any move may do so. */
static int may_remove_royals(const Tables *game, Position *pos, int m) {
    if (has_large_pieces(game)) {
        return 1;
    }
    int end = count_captured_squares(game, pos, m);
    int capturing = 0;
    for (int x = 0; x < end; x++) {
        int square = nth_captured_square(game, pos, m, x);
        int piece = square < game->size ? pos->board[square] : 0;
        if (game->royal[piece]) {
            return 1;
        }
        capturing = capturing || piece;
    }
    if (!game->effects || !capturing) {
        return game->burning;
    }
    int around = game->exploding ? game->around[pos->moves[m].target] : 0;
    for (int x = 0; x < game->pool[around]; x++) {
        if (game->royal[pos->board[game->pool[around + 1 + x]]]) {
            return 1;
        }
    }
    return game->burning || game->royal[pos->board[pos->moves[m].origin]];
}

/* Whether a side has lost its royals by the move just made; it had so many `LAST` ones. */
static int has_lost_royals(const Tables *game, Position *pos, int m, int side, int royals_before) {
    int32_t *top = last_undo_record(pos);
    int32_t *first = pos->undo + top[5];
    int taken = 0;
    for (int x = 0; x < top[0]; x++) {
        int piece = first[4 * x + 1];
        if (((piece - 1) & 1) == side) {
            if (game->royal[piece] == ANY) {
                return 1;
            }
            taken += game->royal[piece] == LAST;
        }
    }
    if (pos->moves[m].flags & CHANGING && side != pos->side) {
        first += 4 * top[0];
        int gone = 0;
        for (int x = 0; x < top[-1]; x++) {
            // A wall may be built where it perished, so that the square changes twice.
            gone = gone || first[4 * x] == pos->moves[m].target;
        }
        if (gone) {
            // The piece that moved is gone; what it was stands there.
            if (game->royal[top[1]] == ANY) {
                return 1;
            }
            taken += game->royal[top[1]] == LAST;
        }
    }
    return taken && taken == royals_before;
}

/* Whether royals are lost by a move of the list: 1 if it wins, -1 if it loses, mostly 0.

   A move that takes those of both sides wins, unless its own are lost by what it changes. */
static int royal_capture_result(const Tables *game, Position *pos, int m) {
    int side = pos->side;
    if (!game->burning &&
        (pos->moves[m].origin == game->size || !may_remove_royals(game, pos, m))) {
        return 0;
    }
    if (!game->effects) {
        if (captures_lose_royals(game, pos, m, 1 - side)) {
            return 1;
        }
        return captures_lose_royals(game, pos, m, side) ? -1 : 0;
    }
    int mine = count_royals(game, pos, side, LAST);
    int theirs = count_royals(game, pos, 1 - side, LAST);
    make(game, pos, m);
    int found = 0;
    if (has_lost_royals(game, pos, m, side, mine)) {
        found = -1;
    } else if (has_lost_royals(game, pos, m, 1 - side, theirs)) {
        found = 1;
    }
    unmake(game, pos, m);
    return found;
}

/* Whether a move of the list, no drop, captures what its piece may not. */
static int captures_barred_piece(const Tables *game, Position *pos, int m) {
    int p = pos->board[pos->moves[m].origin];
    for (int x = 0, end_x = count_captured_squares(game, pos, m); x < end_x; x++) {
        int square = nth_captured_square(game, pos, m, x);
        if (square < game->size && may_not_capture(game, p, pos->board[square])) {
            return 1;
        }
    }
    return 0;
}

/* `destroys_own_royal` where pieces burn, or take up several squares: the capture is made. */
static RARE int destroys_own_royal_once_made(const Tables *game, Position *pos, int s, int node,
                                             int q) {
    int side = pos->side;
    int mover = (pos->board[s] - 1) & 1;
    int spared = count_royals(game, pos, mover, LAST);
    int flags = CHANGING | (is_en_passant_capture(game, pos, node, q) ? PASSANT : 0);
    Move lone = {s, q, pos->board[s], node, 0, flags};
    Move *moves = pos->moves;
    view_board_as(game, pos, 0, s);
    pos->moves = &lone;
    pos->side = mover;
    make(game, pos, 0);
    int lost = has_lost_royals(game, pos, 0, mover, spared);
    unmake(game, pos, 0);
    pos->side = side;
    pos->moves = moves;
    view_board_as(game, pos, pos->board[s], s);
    return lost;
}

/* Whether a piece whose capture by a node takes others along would lose its own royals. */
static int destroys_own_royal(const Tables *game, Position *pos, int s, int node, int q) {
    if (game->burning || has_large_pieces(game)) {
        return destroys_own_royal_once_made(game, pos, s, node, q);
    }
    int p = pos->board[s];
    int side = (p - 1) & 1;
    int around = game->exploding ? game->around[q] : 0;
    const int32_t *c = captures_en_route(game, pos, node);
    int taken = 0;
    for (int n = 0, end_n = 2 + game->pool[around] + c[0]; n < end_n; n++) {
        int piece = 0;
        if (n == 0) {
            int gone = game->exploding ? PERISHING : PETRIFYING;
            if (game->blast[p] & gone) {
                piece = p;
            }
        } else if (n == 1) {
            if (q != s) {
                piece = pos->board[q];
            }
        } else if (n < 2 + game->pool[around]) {
            int a = game->pool[around + n - 1];
            if (a != s && !captures_en_route_on(game, pos, node, a)) {
                if (game->blast[pos->board[a]] & TAKEN_ALONG) {
                    piece = pos->board[a];
                }
            }
        } else {
            piece = pos->board[nth_square_of_captures(game, pos, c, n - 2 - game->pool[around])];
        }
        if (piece && ((piece - 1) & 1) == side) {
            if (game->royal[piece] == ANY) {
                return 1;
            }
            taken += game->royal[piece] == LAST;
        }
    }
    return taken && taken == count_royals(game, pos, side, LAST);
}
