/* Pieces that take up several squares: what they put on them, see from them, and capture with them.

   Such a piece stands on the lists by one square, its own: the near left one, seen by its side. On
   the board it is on all of them, and `anchor` says of each which one is its own. Its nodes lead
   from own square to own square, and what stands on a square is for it what stands on all that it
   would take up there (src/alfil/tables/large_pieces.py): `fill_large_piece_view` lays that out, so
   that the nodes are walked as those of any other piece. */

/* Have a piece take up its squares around its own one. */
static RARE void occupy_piece_squares(const Tables *game, Position *pos, int square, int piece) {
    const int32_t *body = occupied_offsets(game, piece);
    for (int x = 0; x < body[0]; x++) {
        int q = square + body[1 + x];
        pos->board[q] = piece;
        pos->anchor[q] = square;
        pos->shift[q] = (uint8_t)game->shift[piece];
        pos->occupied[q >> 5] |= UINT32_C(1) << (q & 31);
    }
}

/* Free the squares that a piece takes up. */
static RARE void vacate_piece_squares(const Tables *game, Position *pos, int square, int piece) {
    const int32_t *body = occupied_offsets(game, piece);
    for (int x = 0; x < body[0]; x++) {
        int q = square + body[1 + x];
        pos->board[q] = 0;
        pos->anchor[q] = q;
        pos->shift[q] = VACANT;
        pos->occupied[q >> 5] &= ~(UINT32_C(1) << (q & 31));
    }
}

/* Whether all of a piece is on the board where its own square is on one. */
static int fits_on_board(const Tables *game, int piece, int square) {
    int back = (piece - 1) & 1;
    int x = game->file_of[square];
    int y = square / game->files;
    x = back ? game->files - 1 - x : x;
    y = back ? game->size / game->files - 1 - y : y;
    return x + game->wide[piece] < game->files && y + game->high[piece] < game->size / game->files;
}

/* Whether a piece whose own square is on one takes up another. */
static int occupies_square(const Tables *game, int piece, int square, int other) {
    return has_large_pieces(game) ? list_contains(game, game->body[piece], other - square)
                                  : other == square;
}

/* Whether all squares are free that a piece would take up. */
static RARE int has_space(const Tables *game, const Position *pos, int piece, int square) {
    const int32_t *body = occupied_offsets(game, piece);
    for (int x = 0; x < body[0]; x++) {
        if (pos->board[square + body[1 + x]]) {
            return 0;
        }
    }
    return 1;
}

/* Note for each square the class of what comes first of all that a piece finds where it would stand; the
   piece itself, on its square, is in nobody's way. */
static RARE void fill_large_piece_view(const Tables *game, Position *pos, int piece, int s) {
    const int32_t *body = occupied_offsets(game, piece);
    const int32_t *foremost = game->foremost + piece * CLASSES;
    pos->work += game->size;
    for (int at = 0; at < game->size; at++) {
        int best = VACANT;
        for (int x = 0; x < (fits_on_board(game, piece, at) ? body[0] : 0); x++) {
            int q = at + body[1 + x];
            int shift = game->blocked && game->blocked[piece] && is_blocked_by(game, piece, pos->board[q])
                            ? FIRST_APART
                            : game->shift[pos->board[q]];
            if (pos->board[q] && pos->anchor[q] != s &&
                foremost[(shift - VACANT) / 4] > foremost[(best - VACANT) / 4]) {
                best = shift;
            }
        }
        pos->plain[at] = (uint8_t)best;
    }
    // Back home it finds itself.
    pos->plain[s] = (piece - 1) & 1 ? SECOND : FIRST;
}

/* Add the pieces that one finds where it would stand, by their own squares. */
static RARE int add_captured_pieces(const Tables *game, Position *pos, int count, int piece, int s,
                                    int square) {
    const int32_t *body = occupied_offsets(game, piece);
    for (int x = 0; x < body[0]; x++) {
        int q = square + body[1 + x];
        int own = pos->anchor[q];
        int known = !pos->board[q] || own == s;
        for (int y = 0; y < count; y++) {
            known = known || pos->prey[y] == own;
        }
        if (!known) {
            pos->prey[count] = own;
            count++;
        }
    }
    return count;
}

/* Note the pieces that a move, no drop, captures itself; how many. */
static RARE int list_captured_pieces(const Tables *game, Position *pos, const Move *move) {
    int s = move->origin;
    int piece = pos->board[s];
    int count = 0;
    const int32_t *c = captures_en_route(game, pos, move->node);
    for (int x = 0; x < c[0]; x++) {
        count = add_captured_pieces(game, pos, count, piece, s,
                                    nth_square_of_captures(game, pos, c, x));
    }
    if (move->flags & PASSANT) {
        count = add_captured_pieces(game, pos, count, piece, s, pos->victim);
    } else if (move->target != s && !move->partner) {
        count = add_captured_pieces(game, pos, count, piece, s, move->target);
    }
    return count;
}

/* `list_captured_pieces` for a move by a node of the piece on a square. */
static RARE int list_captured_by_node(const Tables *game, Position *pos, int s, int node, int q) {
    Move move = {s, q, 0, node, 0, is_en_passant_capture(game, pos, node, q) ? PASSANT : 0};
    return list_captured_pieces(game, pos, &move);
}

/* Whether two moves of the piece on a square capture the same pieces. */
static RARE int capture_same_pieces(const Tables *game, Position *pos, int s, int node,
                                    int other_node) {
    Squares found = {{0}};
    int count =
        list_captured_by_node(game, pos, s, node, (int)(word_of_node(game, pos, node) & SQUARE));
    for (int x = 0; x < count; x++) {
        add_square(&found, pos->prey[x]);
    }
    int same = list_captured_by_node(game, pos, s, other_node,
                                     (int)(word_of_node(game, pos, other_node) & SQUARE)) == count;
    for (int x = 0; same && x < count; x++) {
        same = has_square(&found, pos->prey[x]);
    }
    return same;
}

/* Whether a node of the piece on a square takes the piece on another one, and nothing it may not. */
static RARE int node_captures_piece(const Tables *game, Position *pos, int s, int node, int q,
                                    int capture_square) {
    int found = 0;
    int iron = 0;
    for (int x = 0, end_x = list_captured_by_node(game, pos, s, node, q); x < end_x; x++) {
        found = found || pos->prey[x] == capture_square;
        iron = iron || may_not_capture(game, pos->board[s], pos->board[pos->prey[x]]);
    }
    return found && !iron;
}

/* Whether a form has space where the piece on a square goes by a node and captures. */
static RARE int has_space_after_capture(const Tables *game, Position *pos, int form, int s,
                                        int node, int q) {
    const int32_t *body = occupied_offsets(game, form);
    int count = list_captured_by_node(game, pos, s, node, q);
    int fits = fits_on_board(game, form, q);
    for (int x = 0; fits && x < body[0]; x++) {
        int at = q + body[1 + x];
        int goes = !pos->board[at] || pos->anchor[at] == s;
        for (int y = 0; y < count; y++) {
            goes = goes || pos->prey[y] == pos->anchor[at];
        }
        fits = goes;
    }
    return fits;
}

/* Capture all that a move captures itself; how many pieces. */
static RARE int capture_all_with_large_pieces(const Tables *game, Position *pos, int m,
                                              int32_t *top) {
    int count = list_captured_pieces(game, pos, pos->moves + m);
    for (int x = 0; x < count; x++) {
        capture(game, pos, pos->prey[x], top + 4 * x);
    }
    return count;
}
