/* Positions and moves as numbers for programs that learn, and many games played at once.

   All is as the side to move sees it: the board is turned for the second one, so that it moves up.
   src/alfil/play/action_encoding.py numbers the moves and lays `Encoding` out. */

/* Planes after those of pieces and hands. */
enum { UNMOVED_PLANE, PASSANT_PLANE, REPEATED_PLANE, SIDE_PLANE, WALL_PLANE };
/* No byte is more. */
enum { MOST_BYTE = 255 };

/* A square as the side to move sees it. */
static inline int square_for_side_to_move(const Tables *game, const Position *pos, int square) {
    return pos->side ? game->size - 1 - square : square;
}

/* The number of the move with a form in a list of forms and numbers; below zero where there is none. */
static int action_number_of_type(const int32_t *list, int piece) {
    for (int x = 0; x < list[0]; x++) {
        if (list[1 + 2 * x] == piece) {
            return list[2 + 2 * x];
        }
    }
    return -1;
}

/* The number of a move that has no node: castling to files, told by both that castle; a pass of who
   has no other move; and a promotion that is a move of its own. */
static RARE int action_number_without_node(const Tables *game, const Position *pos,
                                           const Encoding *code, const Move *move) {
    int castles = move->partner != 0;
    int other = castles ? (move->partner - 1) >> 11 : move->target;
    int form = castles ? game->pieces : move->becomes - pos->side;
    int64_t way = (int64_t)square_for_side_to_move(game, pos, move->origin) * game->size +
                  square_for_side_to_move(game, pos, other);
    int64_t key = way * (game->pieces + 1) + form;
    int first = 0, last = code->specials;
    while (first < last) {
        int middle = (first + last) / 2;
        if (code->keys[middle] < key) {
            first = middle + 1;
        } else {
            last = middle;
        }
    }
    return first < code->specials && code->keys[first] == key ? code->named[first] : -1;
}

/* The list of forms and numbers behind another one. */
static inline const int32_t *next_type_list(const int32_t *list) {
    return list + 1 + 2 * list[0];
}

/* The number of a move that has a node. */
static inline int action_number_of_node(const Tables *game, Position *pos, const Encoding *code,
                                        const Move *move) {
    // What roams and captures on its way has its node among the burdens (roaming.c).
    const int32_t *burden = move->node < 0 ? pos->burdens - move->node : NULL;
    int number = code->numbers[burden ? burden[0] : move->node];
    if (LIKELY(number >= 0)) {
        return number;
    }
    const int32_t *quiet = code->forms - number;
    if (burden && burden[2]) {
        quiet = next_type_list(next_type_list(quiet));
    }
    const int32_t *taking = next_type_list(quiet);
    int onto = has_large_pieces(game)
                   ? list_captured_pieces(game, pos, move)
                   : pos->board[move->target] && move->target != move->origin && !move->partner;
    return action_number_of_type(onto ? taking : quiet, move->becomes);
}

/* What a move builds or leaves, as a number below `extras`. */
static RARE int wall_or_gate_number(const Tables *game, const Position *pos, const Encoding *code,
                                    const Move *move) {
    int extra = move->flags >> EXTRA;
    if (!game->gating) {
        return extra ? square_for_side_to_move(game, pos, extra - 1) : 0;
    }
    return extra ? 1 + 2 * code->held_at[(extra >> 1) - 1] + (extra & 1) : 0;
}

/* The number of a legal move. */
static inline int action_number_of(const Tables *game, Position *pos, const Encoding *code,
                                   const Move *move) {
    int number;
    if (move->origin == game->size) {
        number = code->drops + code->dropped[move->becomes] +
                 square_for_side_to_move(game, pos, move->target);
    } else if (LIKELY(move->node != NOTHING)) {
        number = action_number_of_node(game, pos, code, move);
    } else {
        number = action_number_without_node(game, pos, code, move);
    }
    if (LIKELY(code->extras == 1)) {
        return number;
    }
    return number < 0 ? number : number * code->extras + wall_or_gate_number(game, pos, code, move);
}

void write_action_numbers(const Tables *game, Position *pos, const Encoding *code, int first,
                          int end, int32_t *out) {
    for (int m = first; m < end; m++) {
        out[m - first] = action_number_of(game, pos, code, pos->moves + m);
    }
}

/* Numbers that are written: bytes or floats, one of them NULL. */
typedef struct {
    uint8_t *bytes;
    float *floats;
} Cells;

/* Write a number into so many cells. */
static void fill_cells(const Cells *out, int first, int count, int number) {
    float *floats = out->floats;
    uint8_t *bytes = out->bytes;
    for (int x = first; floats && x < first + count; x++) {
        floats[x] = (float)number;
    }
    uint8_t least = (uint8_t)(number < MOST_BYTE ? number : MOST_BYTE);
    for (int x = first; bytes && x < first + count; x++) {
        bytes[x] = least;
    }
}

/* Mark a square in a plane that begins at a cell. */
static inline void mark_plane_square(const Tables *game, const Position *pos, const Cells *out,
                                     int plane, int square) {
    int at = plane * game->size + square_for_side_to_move(game, pos, square);
    if (out->floats) {
        out->floats[at] = 1;
    } else {
        out->bytes[at] = 1;
    }
}

/* Mark the pieces of a side in its planes. */
static void mark_pieces_of_side(const Tables *game, const Position *pos, const Cells *out,
                                int side) {
    const int32_t *squares = pos->lists + side * game->size;
    int first = side == pos->side ? 0 : game->kinds;
    for (int x = 0; x < pos->counts[side]; x++) {
        int piece = pos->board[squares[x]];
        const int32_t *body = occupied_offsets(game, piece);
        for (int y = 0; y < body[0]; y++) {
            mark_plane_square(game, pos, out, first + ((piece - 1) >> 1), squares[x] + body[1 + y]);
        }
    }
}

/* Mark the pieces of a side that may still do what only unmoved ones may, those that may castle, and
   their partners. */
static void mark_unmoved(const Tables *game, Position *pos, const Cells *out, int plane, int side) {
    const int32_t *squares = pos->lists + side * game->size;
    for (int x = 0; x < pos->counts[side]; x++) {
        int s = squares[x];
        int piece = pos->board[s];
        int castles = game->insets[piece] || (game->castling && game->castling[piece]);
        if (game->counted[piece] && (!pos->made[s] || pos->made[s] == DROPPED)) {
            mark_plane_square(game, pos, out, plane, s);
        }
        int rank = s - game->file_of[s];
        for (int q = rank; castles && !pos->made[s] && q < rank + game->files; q++) {
            if (q != s && pos->board[q] && !pos->made[q] && !is_large_piece(game, pos->board[q]) &&
                are_castling_partners(game, pos, s, q)) {
                mark_plane_square(game, pos, out, plane, s);
                mark_plane_square(game, pos, out, plane, q);
            }
        }
    }
}

/* Fill the planes of what is in the hands. */
static void fill_hand_planes(const Tables *game, const Position *pos, const Encoding *code,
                             const Cells *out) {
    for (int x = 0; x < 2 * code->hands; x++) {
        int side = x < code->hands ? pos->side : 1 - pos->side;
        int count = pos->hands[side * game->kinds + code->held[x % code->hands]];
        if (count) {
            fill_cells(out, (2 * game->kinds + x) * game->size, game->size, count);
        }
    }
}

/* Write the planes of a position into cells. */
static void fill_planes(const Tables *game, Position *pos, const Encoding *code, const Cells *out) {
    int size = game->size;
    int others = 2 * (game->kinds + code->hands);
    fill_cells(out, 0, code->planes * size, 0);
    fill_hand_planes(game, pos, code, out);
    for (int side = 0; side < 2; side++) {
        mark_pieces_of_side(game, pos, out, side);
        mark_unmoved(game, pos, out, others + UNMOVED_PLANE, side);
    }
    for (int x = 0; x < game->pool[pos->trail]; x++) {
        int q = game->pool[pos->trail + 1 + x];
        if (!pos->board[q]) {
            mark_plane_square(game, pos, out, others + PASSANT_PLANE, q);
        }
    }
    int repeated = count_board_repetitions(pos);
    if (repeated) {
        fill_cells(out, (others + REPEATED_PLANE) * size, size, repeated);
    }
    if (pos->side) {
        fill_cells(out, (others + SIDE_PLANE) * size, size, 1);
    }
    for (int q = 0; others + WALL_PLANE < code->planes && q < size; q++) {
        if (pos->board[q] == game->pieces) {
            mark_plane_square(game, pos, out, others + WALL_PLANE, q);
        }
    }
}

void write_planes(const Tables *game, Position *pos, const Encoding *code, int floats, void *out) {
    Cells cells = {floats ? NULL : out, floats ? out : NULL};
    fill_planes(game, pos, code, &cells);
}

/* List the legal moves of a game; how it has ended, 0 where it goes on. */
static int list_game_moves(const Tables *game, const Encoding *code, Games *all, int index) {
    Position *pos = all->positions[index];
    int end = generate_legal_unordered(game, pos, 1);
    if (end - 1 > all->room) {
        abort_call(game, ENDLESS);
        end = 1 + all->room;
    }
    LegalMoves replies = {end - 1, 1, end};
    add_en_passant_to_key(game, pos, &replies);
    int found = game_result(game, pos, &replies, 0);
    all->sides[index] = (uint8_t)pos->side;
    all->listed[index] = found || pos->past >= all->longest ? 0 : end - 1;
    write_action_numbers(game, pos, code, 1, 1 + all->listed[index],
                         all->actions + (size_t)index * (size_t)all->room);
    return found;
}

/* Begin a game again. */
static void restart_game(const Tables *game, const Encoding *code, Games *all, int index) {
    Position *pos = all->positions[index];
    while (pos->past) {
        unmake_line_move(game, pos);
    }
    all->results[index] = list_game_moves(game, code, all, index);
}

void begin_games(const Tables *game, const Encoding *code, Games *all, const uint8_t *marked) {
    for (int g = 0; g < all->games; g++) {
        if (!marked || marked[g]) {
            restart_game(game, code, all, g);
        }
    }
}

void take_back_games(const Tables *game, const Encoding *code, Games *all, const int32_t *plies) {
    for (int g = 0; g < all->games; g++) {
        for (int x = 0; x < plies[g] && all->positions[g]->past; x++) {
            unmake_line_move(game, all->positions[g]);
        }
        if (plies[g] > 0) {
            all->results[g] = list_game_moves(game, code, all, g);
        }
    }
}

/* Where the legal move with a number stands in the list of a game, 0 where there is none. */
static int find_move_by_action(const Games *all, int g, int action) {
    const int32_t *actions = all->actions + (size_t)g * (size_t)all->room;
    for (int x = 0; x < all->listed[g]; x++) {
        if (actions[x] == action) {
            return 1 + x;
        }
    }
    return 0;
}

/* Make the move at m in a game, and note what it comes to. */
static void step_game(const Tables *game, const Encoding *code, Games *all, int index, int m) {
    Position *pos = all->positions[index];
    int side = pos->side;
    make_line_move(game, pos, m);
    int found = list_game_moves(game, code, all, index);
    int won = found % WINNERS;
    all->results[index] = found;
    all->rewards[index] = !found || won == DRAW ? 0 : won == side ? 1 : -1;
    all->terminated[index] = found != 0;
    all->truncated[index] = !found && !all->listed[index];
    if (all->renewing && !all->listed[index]) {
        restart_game(game, code, all, index);
        all->results[index] = found;
    }
}

int64_t step_games(const Tables *game, const Encoding *code, Games *all, const int32_t *actions) {
    for (int g = 0; g < all->games; g++) {
        if (actions[g] != -1 && !find_move_by_action(all, g, actions[g])) {
            return g;
        }
    }
    for (int g = 0; g < all->games; g++) {
        int m = find_move_by_action(all, g, actions[g]);
        if (m) {
            step_game(game, code, all, g, m);
        } else {
            all->rewards[g] = 0;
            all->terminated[g] = all->truncated[g] = 0;
        }
    }
    return -1;
}

void observe_games(const Tables *game, const Encoding *code, Games *all, int floats, void *out) {
    size_t cells = (size_t)code->planes * (size_t)game->size;
    for (int g = 0; g < all->games; g++) {
        size_t first = (size_t)g * cells;
        void *there = floats ? (void *)((float *)out + first) : (void *)((uint8_t *)out + first);
        write_planes(game, all->positions[g], code, floats, there);
    }
}

void mask_games(const Tables *game, const Encoding *code, Games *all, int64_t actions, uint8_t *out) {
    (void)game, (void)code;
    for (int g = 0; g < all->games; g++) {
        uint8_t *mask = out + (size_t)g * (size_t)actions;
        const int32_t *legal = all->actions + (size_t)g * (size_t)all->room;
        for (int64_t x = 0; x < actions; x++) {
            mask[x] = 0;
        }
        for (int x = 0; x < all->listed[g]; x++) {
            if (legal[x] >= 0) {
                mask[legal[x]] = 1;
            }
        }
    }
}

void sample_games(const Tables *game, const Encoding *code, Games *all, int32_t *out) {
    (void)game, (void)code;
    for (int g = 0; g < all->games; g++) {
        int count = all->listed[g];
        all->seeds[g] = (all->seeds[g] * UINT64_C(25214903917) + 11) & UINT64_C(281474976710655);
        int chosen = count ? (int)((all->seeds[g] >> 16) % (uint64_t)count) : 0;
        out[g] = count ? all->actions[(size_t)g * (size_t)all->room + (size_t)chosen] : -1;
    }
}
