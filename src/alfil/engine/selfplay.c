/* Games of the engine against itself, to learn what pieces are worth.

   The first moves and some later ones are by chance. Kept are quiet positions, and how the game
   ended; src/alfil/workbench/measure_piece_values.py makes values of them. */

/* A row of a position: how many numbers it is; the game; 1, 0 or -1 for a first side that won, drew or
   lost; whether the game had an end; 1 or -1 for the side to move; what the search says that the first
   side is ahead; how many moves were made; how many men follow, and the men; then the terms of
   src/alfil/engine/terms.c, if that is asked. A man on a square is piece × size + square; those in
   hand follow all of these, one for each that a side has more than the other: kind, or kinds + kind
   for the second side. */
enum {
    ROW_LENGTH,
    ROW_GAME,
    ROW_RESULT,
    ROW_ENDED,
    ROW_MOVER,
    ROW_SCORE,
    ROW_PLY,
    ROW_MEN,
    ROW_HEAD,
};

/* The next number by chance. */
static uint64_t next_random(uint64_t *seed) {
    *seed = (*seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407));
    return hash_number(*seed >> 11);
}

/* Look for the best move, which stands first in the list then: the best so far where that is too much
   work. */
static void search_from_scratch(const Tables *game, Position *pos, Search *search, int depth) {
    search->reached = search->halt = search->score = 0;
    search->visited = 0;
    think(game, pos, search, depth);
    search->halt = 0;
}

/* Whether nothing is gained at once in a position that was looked at last. */
static int is_quiet_position(const Tables *game, Position *pos, Search *search) {
    // Else the positions of the search before would end this one at once.
    search->visited = 0;
    find_checks(game, pos);
    return !pos->checks && quiescence(game, pos, search, 1, 0, -MATE, MATE) ==
                               evaluate(game, pos, search, -MATE, MATE);
}

/* Write the men of a position; how many there are, -1 where there is no room for all. */
static int list_men(const Tables *game, const Position *pos, int32_t *men, int room) {
    int count = 0;
    for (int side = 0; side < 2; side++) {
        for (int x = 0; x < pos->counts[side]; x++) {
            int s = pos->lists[side * game->size + x];
            if (count == room) {
                return -1;
            }
            men[count++] = pos->board[s] * game->size + s;
        }
    }
    for (int kind = 0; kind < game->kinds; kind++) {
        int more = pos->hands[kind] - pos->hands[game->kinds + kind];
        int man = game->pieces * game->size + kind + (more < 0 ? game->kinds : 0);
        for (int x = more < 0 ? -more : more; x > 0; x--) {
            if (count == room) {
                return -1;
            }
            men[count++] = man;
        }
    }
    return count;
}

/* Keep a position of the game with a number, if there is room. */
static void write_position_row(const Tables *game, Position *pos, Search *search, SelfPlay *play,
                               int game_number, int plies) {
    int64_t room = play->rows_room - play->rows_end - ROW_HEAD;
    if (room < 0) {
        return;
    }
    int32_t *row = play->rows + play->rows_end;
    int most = room < 1 << 20 ? (int)room : 1 << 20;
    int count = list_men(game, pos, row + ROW_HEAD, most);
    if (play->with_terms) {
        list_terms(game, pos, search);
    }
    int terms = play->with_terms ? search->terms_listed : 0;
    if (count < 0 || terms > most - count) {
        return;
    }
    for (int x = 0; x < terms; x++) {
        row[ROW_HEAD + count + x] = search->listed[x];
    }
    row[ROW_LENGTH] = ROW_HEAD + count + terms;
    row[ROW_GAME] = game_number;
    row[ROW_RESULT] = row[ROW_ENDED] = 0;
    row[ROW_MOVER] = 1 - 2 * pos->side;
    row[ROW_SCORE] = row[ROW_MOVER] * search->score;
    row[ROW_PLY] = plies;
    row[ROW_MEN] = count;
    play->rows_end += row[ROW_LENGTH];
}

/* Who has anything but royals, on the board or in hand, where the other side has nothing; else `DRAW`. */
static int winner_over_bare_side(const Tables *game, const Position *pos) {
    int left[2] = {0, 0};
    for (int side = 0; side < 2; side++) {
        for (int x = 0; x < pos->counts[side] && !left[side]; x++) {
            left[side] = !game->royal[pos->board[pos->lists[side * game->size + x]]];
        }
        for (int kind = 0; kind < game->kinds && !left[side]; kind++) {
            left[side] = pos->hands[side * game->kinds + kind] != 0;
        }
    }
    return left[0] == left[1] ? DRAW : left[1];
}

/* Make one move after the other until a game ends; what it ended as, 0 where it was broken off. */
static int play_one_game(const Tables *game, Position *pos, Search *search, SelfPlay *play,
                         int game_number) {
    uint64_t seed = hash_number((uint64_t)play->seed ^ hash_number((uint64_t)game_number + 1));
    int begun = pos->past;
    for (;;) {
        LegalMoves replies = list_or_count_moves(game, pos, 1);
        add_en_passant_to_key(game, pos, &replies);
        int found = game_result(game, pos, &replies, 0);
        int made = pos->past - begun;
        if (found || !replies.count || made >= play->longest) {
            return found;
        }
        int bare = play->bare ? winner_over_bare_side(game, pos) : DRAW;
        if (bare != DRAW) {
            return WINNERS + bare;
        }
        int by_chance = made < play->opening || (int)(next_random(&seed) % 100) < play->chance;
        uint64_t lot = next_random(&seed);
        if (by_chance) {
            make_line_move(game, pos, random_legal_move(game, pos, &replies, lot >> 1));
            continue;
        }
        search_from_scratch(game, pos, search, play->depth);
        if (pos->moves[0].origin == NO_MOVE) {
            return 0;
        }
        Move best = pos->moves[0];
        if (made > play->opening && lot % (uint64_t)play->kept_of == 0 &&
            is_quiet_position(game, pos, search)) {
            write_position_row(game, pos, search, play, game_number, made);
        }
        pos->moves[0] = best;
        make_line_move(game, pos, 0);
    }
}

int64_t play_against_itself(const Tables *game, Position *pos, Search *search, SelfPlay *play,
                            int game_number) {
    int begun = pos->past;
    int64_t first = play->rows_end;
    forget_history(game, search);
    search->round++;
    int found = play_one_game(game, pos, search, play, game_number);
    int won = found % WINNERS;
    int decided = found && won != DRAW;
    play->plies += pos->past - begun;
    play->decided += decided;
    while (first < play->rows_end) {
        int32_t *row = play->rows + first;
        row[ROW_RESULT] = decided ? 1 - 2 * won : 0;
        row[ROW_ENDED] = found != 0;
        first += row[ROW_LENGTH];
    }
    return found;
}
