/* Keys of positions: numbers of 62 bits, the same for the same position. */

#define MASK UINT64_C(4611686018427387903)

/* What parts of a key are made of that are neither a piece on a square nor in hand. */
enum { RIGHT = 1, HOLD, PASSING, GIVEN, EXCHANGED };

/* A number of 62 bits that looks like chance, for each number. */
static uint64_t hash_number(uint64_t number) {
    number = (number * UINT64_C(4417276706812531889)) & MASK;
    number ^= number >> 31;
    number = (number * UINT64_C(2685821657736338717)) & MASK;
    return number ^ (number >> 29);
}

/* A number for what something is and two squares that it is about. */
static uint64_t hash_of_squares(int what, int first, int second) {
    return hash_number(((uint64_t)what << 40) + (uint64_t)first * 2048 + (uint64_t)second);
}

/* What stands on a square, as part of a key. */
static uint64_t piece_key(const Tables *game, Position *pos, int square) {
    int piece = pos->board[square];
    if (!piece) {
        return 0;
    }
    int made = pos->made[square];
    if (made == DROPPED) {
        made = 0;
    }
    int64_t number = (int64_t)(piece * game->size + square) * 2048;
    if (made >= 0 && made < game->counted[piece]) {
        number += made + 1;
    }
    return hash_number((uint64_t)number);
}

/* One piece in hand, as part of a key. */
static uint64_t hand_key(int side, int kind) {
    return hash_number((uint64_t)(-1 - side - 2 * kind) & MASK);
}

/* Which turns come next where moves depend on that, as part of a key. */
static uint64_t turn_phase_key(const Tables *game, const Position *pos) {
    return game->round > 1 ? hash_number((uint64_t)(pos->number % (2 * (int64_t)game->round))) : 0;
}

/* Whether a piece may castle with another one, where neither has moved. */
static int are_castling_partners(const Tables *game, Position *pos, int s, int other) {
    int p = pos->board[s];
    int with = pos->board[other];
    int files = game->castling ? game->castling[p] : 0;
    for (int x = 2; x < game->pool[files]; x++) {
        if (game->pool[files + 1 + x] == with) {
            return 1;
        }
    }
    int inset = game->file_of[other];
    if (inset > game->files - 1 - inset) {
        inset = game->files - 1 - inset;
    }
    return ((with - p) & 1) == 0 && list_contains(game, game->insets[p], inset) &&
           may_castle_with(game, p, with);
}

/* Which pieces of a side may still castle, as part of a key. */
static uint64_t castling_rights_key(const Tables *game, Position *pos, int side) {
    uint64_t rights = 0;
    for (int x = 0; x < pos->counts[side]; x++) {
        int s = pos->lists[side * game->size + x];
        int p = pos->board[s];
        if (pos->made[s] || !(game->insets[p] || (game->castling && game->castling[p]))) {
            continue;
        }
        int rank = s - game->file_of[s];
        for (int q = rank; q < rank + game->files; q++) {
            if (q != s && pos->board[q] && !pos->made[q] &&
                are_castling_partners(game, pos, s, q)) {
                rights += hash_of_squares(RIGHT, s, q);
            }
        }
    }
    return rights;
}

static uint64_t all_castling_rights_key(const Tables *game, Position *pos) {
    return game->castles
               ? (castling_rights_key(game, pos, 0) + castling_rights_key(game, pos, 1)) & MASK
               : 0;
}

/* A key of what stands on the board and is in hand, and of the side to move. */
static uint64_t board_key(const Tables *game, Position *pos) {
    uint64_t key = (uint64_t)pos->side + turn_phase_key(game, pos);
    for (int side = 0; side < 2; side++) {
        for (int x = 0, end_x = pos->counts[side]; x < end_x; x++) {
            key += piece_key(game, pos, pos->lists[side * game->size + x]);
        }
        for (int kind = 0; kind < game->kinds; kind++) {
            key += (uint64_t)pos->hands[side * game->kinds + kind] * hand_key(side, kind);
        }
    }
    for (int x = 1; game->holding && x < pos->holds[0]; x += 2) {
        key += hash_of_squares(HOLD, pos->holds[x], pos->holds[x + 1]);
    }
    for (int x = 0, end_x = game->effects ? game->size : 0; x < end_x; x++) {
        if (pos->board[x] == game->pieces) {
            key += hash_number((uint64_t)(game->pieces * game->size + x) << 11);
        }
    }
    return key & MASK;
}

/* What a capture on a square changes in the key. */
static uint64_t key_change_of_capture(const Tables *game, Position *pos, int square) {
    int piece = pos->board[square];
    if (!piece) {
        return 0;
    }
    uint64_t change = -piece_key(game, pos, square);
    if (game->held[piece]) {
        change += hand_key(pos->side, game->held[piece] - 1);
    }
    return change;
}

/* The key less all that a move takes away or moves, which changes nothing besides. */
static uint64_t remove_move_from_key(const Tables *game, Position *pos, uint64_t key,
                                     const Move *move, int m) {
    int side = pos->side;
    key += (uint64_t)(1 - 2 * side) - turn_phase_key(game, pos);
    if (move->origin == game->size) {
        return key - hand_key(side, move->node);
    }
    for (int x = 0, end_x = count_captured_squares(game, pos, m); x < end_x; x++) {
        int q = nth_captured_square(game, pos, m, x);
        if (q < game->size) {
            key += key_change_of_capture(game, pos, q);
        }
    }
    key -= piece_key(game, pos, move->origin);
    return move->partner ? key - piece_key(game, pos, (move->partner - 1) >> 11) : key;
}

/* The key after such a move, which has been made, from what `remove_move_from_key` was. */
static uint64_t add_move_to_key(const Tables *game, Position *pos, uint64_t key, const Move *move) {
    key += piece_key(game, pos, move->target) + turn_phase_key(game, pos);
    if (move->partner) {
        key += piece_key(game, pos, (move->partner - 1) & SQUARE);
    }
    return key & MASK;
}

/* The squares on which the piece that has just moved may be captured en passant, as part of a key. */
static uint64_t en_passant_key(const Tables *game, Position *pos) {
    uint64_t key = 0;
    for (int x = 0; x < game->pool[pos->trail]; x++) {
        int q = game->pool[pos->trail + 1 + x];
        // Nobody goes to a square of the trail that was walled up.
        key += pos->board[q] ? 0 : hash_of_squares(PASSING, q, pos->victim);
    }
    return key;
}

/* Where a piece was captured that may not be exchanged, as part of a key: where others are left that
   may not be captured therefore. */
static uint64_t barred_exchange_key(const Tables *game, const Position *pos) {
    int side = 1 - pos->side;
    for (int x = 0; pos->exchanged && x < pos->counts[side]; x++) {
        int s = pos->lists[side * game->size + x];
        if (s != pos->exchanged - 1 && is_piece_of_rule(game, RULE_NO_EXCHANGE, pos->board[s])) {
            return hash_of_squares(EXCHANGED, pos->exchanged, 0);
        }
    }
    return 0;
}
