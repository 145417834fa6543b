/* Endings of few men solved backwards, for any game without hands: src/alfil/game/endgame_solver.py lays out
   `Endings` and asks in turn for all that is here.

   A material is up to `MOST_MEN` pieces. Its positions are numbered by the side to move, the slot of
   the first man's square and the squares of the others. Symmetries of board and pieces bring the
   first man to a square that stands for all its images; that is the slot. Materials that moves lead
   to and back again are solved together, after all others that they lead to.

   Every move is one that the engine lists, so whatever moves in a game moves so here. The values of
   positions are

       0 for no position, 1 for a draw, 2 × plies + 2 where the mover loses, 2 × plies + 3 where it wins

   What was before a position is not known: nobody castles, a piece where one of its sort begins has
   not moved, and repetitions and counts of moves end nothing. Where a capture en passant is legal, the
   position has a number of its own, behind all others. */

enum { NO_POSITION, DRAWN, LOST, WON };
/* So many values there are, and so many plies they tell of at most. */
enum { VALUES = 65536, MOST_PLIES = 32000 };
/* How many men a material has at most. */
enum { MOST_MEN = 4 };
/* Squares of men, in the order of a material. */
typedef struct {
    int material, side;
    int squares[MOST_MEN];
} EndingPosition;

/* Why a table cannot be made. */
enum { NO_ROOM = 1, UNLISTED, ILLEGAL };
/* So many moves that can be captured en passant are followed one upon the other. */
enum { DEEPEST_TRAIL = 6 };
/* Marks the position that remembered edges come from. */
#define PARENT UINT32_C(2147483648)
/* What is left of the moves of a position without any that is a draw. */
enum { STALEMATED = 65535 };

/* The number of men of a material. */
static int count_men(const Endings *endings, int material) {
    int count = 0;
    while (count < MOST_MEN && endings->pieces[material * MOST_MEN + count]) {
        count++;
    }
    return count;
}

/* The number of a position in `values`. Men of one sort, but for the first man, are put in order. */
static int64_t position_number(const Tables *game, const Endings *endings,
                               const EndingPosition *found) {
    const int32_t *pieces = endings->pieces + found->material * MOST_MEN;
    int count = count_men(endings, found->material);
    int squares[MOST_MEN] = {0};
    int64_t row = (int64_t)found->material * game->size;
    int64_t number = endings->starts[found->material];
    if (!count) {
        return number + found->side;
    }
    int first = found->squares[0];
    const int32_t *map = endings->maps + (int64_t)endings->turns[row + first] * game->size;
    for (int x = 1; x < count; x++) {
        int square = map[found->squares[x]];
        int y = x;
        while (y > 1 && pieces[y - 1] == pieces[y] && squares[y - 1] > square) {
            squares[y] = squares[y - 1];
            y--;
        }
        squares[y] = square;
    }
    int64_t within = (int64_t)found->side * endings->widths[found->material] + endings->slots[row + first];
    for (int x = 1; x < count; x++) {
        within = within * game->size + squares[x];
    }
    return number + within;
}

/* The position of a material with a number among its own. */
static EndingPosition position_of_number(const Tables *game, const Endings *endings, int material,
                                         int64_t within) {
    EndingPosition found = {material, 0, {0}};
    int count = count_men(endings, material);
    for (int x = count - 1; x > 0; x--) {
        found.squares[x] = (int)(within % game->size);
        within /= game->size;
    }
    int64_t width = count ? endings->widths[material] : 1;
    found.side = (int)(within / width);
    found.squares[0] = endings->corners[(int64_t)material * game->size + within % width];
    return found;
}

/* Whether men stand one on the other or where they never do, or in an order that another position has. */
static int is_impossible_or_duplicate(const Tables *game, const Endings *endings,
                                      const EndingPosition *found) {
    const int32_t *pieces = endings->pieces + found->material * MOST_MEN;
    for (int x = 0; x < MOST_MEN && pieces[x]; x++) {
        if (game->holes[found->squares[x]] || endings->unmet[pieces[x] * game->size + found->squares[x]]) {
            return 1;
        }
        for (int y = 0; y < x; y++) {
            int same = y && pieces[x] == pieces[y];
            if (found->squares[x] == found->squares[y] || (same && found->squares[x] < found->squares[y])) {
                return 1;
            }
        }
    }
    return 0;
}

/* Take all men off the board. */
static void clear_board(const Tables *game, Position *pos) {
    for (int side = 0; side < 2; side++) {
        while (pos->counts[side]) {
            int s = pos->lists[side * game->size];
            remove_from_piece_list(game, pos, side, s);
            lift(game, pos, s);
            pos->made[s] = UNKNOWN;
        }
    }
}

/* How many moves the piece on a square is taken to have made. */
static int assumed_move_count(const Tables *game, int piece, int s) {
    int castles = game->pool[game->insets[piece]] || (game->castling && game->castling[piece]);
    return game->starts[s] == piece && !castles ? 0 : UNKNOWN;
}

/* Put a position on the board; whether it is one that a game may come to. */
static int put_on_board(const Tables *game, Position *pos, const Endings *endings,
                        const EndingPosition *found) {
    const int32_t *pieces = endings->pieces + found->material * MOST_MEN;
    int royals[2] = {0, 0};
    clear_board(game, pos);
    pos->side = found->side;
    pos->trail = 0;
    for (int x = 0; x < MOST_MEN && pieces[x]; x++) {
        int s = found->squares[x];
        int side = (pieces[x] - 1) & 1;
        add_to_piece_list(game, pos, side, s, pos->counts[side]);
        put(game, pos, s, pieces[x]);
        pos->made[s] = assumed_move_count(game, pieces[x], s);
        if (game->royal[pieces[x]]) {
            royals[side]++;
            pos->royals[side] = s;
        }
    }
    pos->careful = endings->careful || royals[0] != 1 || royals[1] != 1;
    if (pos->careful) {
        pos->royals[0] = pos->royals[1] = game->size;
    }
    return game->lenient || !is_checked(game, pos, 1 - pos->side);
}

/* Read a position off the board; whether its material is among those of the table. */
static int read_board(const Tables *game, const Position *pos, const Endings *endings,
                      EndingPosition *found) {
    int count = pos->counts[0] + pos->counts[1];
    found->side = pos->side;
    for (int material = 0; material < endings->materials && count <= MOST_MEN; material++) {
        const int32_t *pieces = endings->pieces + material * MOST_MEN;
        int used = 0, met = 0;
        for (int x = 0; x < MOST_MEN && pieces[x] && met == x; x++) {
            int side = (pieces[x] - 1) & 1;
            const int32_t *list = pos->lists + side * game->size;
            for (int y = 0; y < pos->counts[side] && met == x; y++) {
                int bit = 1 << (y + MOST_MEN * side);
                if (pos->board[list[y]] == pieces[x] && !(used & bit)) {
                    used |= bit;
                    found->squares[met++] = list[y];
                }
            }
        }
        if (met == count && count_men(endings, material) == count) {
            found->material = material;
            return 1;
        }
    }
    return 0;
}

static void record_failure(Endings *endings, int why) {
    endings->failed = endings->failed ? endings->failed : why;
}

/* Note for an own position that a move wins or loses after so many plies, with those that it takes. */
static void record_winning_move(Endings *endings, int64_t own, int plies) {
    if (!endings->wins[own] || endings->wins[own] > plies) {
        endings->wins[own] = (uint16_t)plies;
    }
    endings->pending = endings->pending < plies ? plies : endings->pending;
}

static void record_losing_move(Endings *endings, int64_t own, int plies) {
    if (endings->losses[own] < plies) {
        endings->losses[own] = (uint16_t)plies;
    }
    endings->pending = endings->pending < plies ? plies : endings->pending;
}

/* Write down that an own position leads to another one, behind which room was left for it. */
static void write_edge(Endings *endings, int64_t own, int64_t child) {
    if (!endings->values[endings->first_own + child]) {
        record_failure(endings, ILLEGAL);
        return;
    }
    int64_t at = --endings->begins[child];
    if (at < 0 || at >= endings->most_edges) {
        record_failure(endings, NO_ROOM);
        return;
    }
    endings->edges[at] = (uint32_t)own;
}

/* Remember an edge that is counted, as long as there is room: where it leads to, behind the position
   that it comes from where that is another one than that of the edge before. */
static void remember_edge(Endings *endings, int64_t own, int64_t child) {
    int64_t at = endings->remembered;
    if (at + 2 > endings->most_remembered) {
        endings->most_remembered = 0;
        return;
    }
    if (own != endings->last_parent || !at) {
        endings->edges_met[at++] = PARENT | (uint32_t)own;
        endings->last_parent = own;
    }
    endings->edges_met[at++] = (uint32_t)child;
    endings->remembered = at;
}

/* Note that a move leads from an own position to another one. */
static void count_or_write_edge(Endings *endings, int64_t own, int64_t child) {
    if (endings->filling) {
        write_edge(endings, own, child);
        return;
    }
    endings->begins[child]++;
    endings->left[own]++;
    endings->edges_counted++;
    remember_edge(endings, own, child);
}

/* Note that a move leads to a position with a number in `values`. */
static void record_move_to(Endings *endings, int64_t own, int64_t number) {
    if (number >= endings->first_own) {
        count_or_write_edge(endings, own, number - endings->first_own);
        return;
    }
    if (endings->filling) {
        return;
    }
    int value = endings->values[number];
    if (value == NO_POSITION) {
        record_failure(endings, ILLEGAL);
    } else if (value == DRAWN) {
        endings->left[own]++;
    } else if (value & 1) {
        record_losing_move(endings, own, (value - WON) / 2 + 1);
    } else {
        record_winning_move(endings, own, (value - LOST) / 2 + 1);
    }
}

/* Whether a capture en passant is among the moves of a list. */
static int has_en_passant_in_list(const Tables *game, Position *pos, int m, int end) {
    for (; m < end; m++) {
        for (int x = 0, end_x = count_captured_squares(game, pos, m); x < end_x; x++) {
            int q = nth_captured_square(game, pos, m, x);
            if (q == pos->victim && q != pos->moves[m].target) {
                return 1;
            }
        }
    }
    return 0;
}

static void record_moves_of_position(const Tables *game, Position *pos, Endings *endings,
                                     int64_t own, int at, int deep);

/* Follow a move of the list of an own position, which is made; `at` is free room in the list. */
static void record_made_move(const Tables *game, Position *pos, Endings *endings, int64_t own,
                             int at, int deep) {
    EndingPosition found;
    if (!read_board(game, pos, endings, &found)) {
        record_failure(endings, UNLISTED);
        return;
    }
    if (pos->trail) {
        int end = generate_legal_unordered(game, pos, at);
        if (has_en_passant_in_list(game, pos, at, end)) {
            int64_t extra = endings->own + endings->extra;
            if (extra >= endings->room || deep >= DEEPEST_TRAIL) {
                record_failure(endings, NO_ROOM);
                return;
            }
            endings->extra++;
            if (!endings->filling) {
                endings->values[endings->first_own + extra] = DRAWN;
            }
            record_moves_of_position(game, pos, endings, extra, at, deep + 1);
            count_or_write_edge(endings, own, extra);
            return;
        }
    }
    record_move_to(endings, own, position_number(game, endings, &found));
}

/* Whether a move goes from one square to another and does nothing else. */
static int is_plain_quiet_move(const Tables *game, const Position *pos, const Move *move) {
    int to = move->target;
    return move->origin < game->size && !move->partner && !move->flags && move->node != NOTHING &&
           (to == move->origin || !pos->board[to]) &&
           !captures_en_route(game, pos, move->node)[0] &&
           move->becomes == pos->board[move->origin] &&
           !en_passant_squares_of(game, pos, move->node);
}

/* Note all moves of an own position, which is on the board, or how the game has ended there. */
static void record_moves_of_position(const Tables *game, Position *pos, Endings *endings,
                                     int64_t own, int at, int deep) {
    int end = generate_legal_unordered(game, pos, at);
    LegalMoves replies = {end - at, at, end};
    int found = game_result(game, pos, &replies, 0);
    if (found) {
        int won = found % WINNERS;
        int value = won == DRAW ? DRAWN : won == pos->side ? WON : LOST;
        if (!endings->filling) {
            endings->values[endings->first_own + own] = (uint16_t)value;
            endings->left[own] = value == DRAWN && end == at ? STALEMATED : 0;
        }
        return;
    }
    EndingPosition here = {0, pos->side, {0}};
    int regular = !deep && read_board(game, pos, endings, &here);
    for (int m = at; m < end && !endings->failed; m++) {
        Move move = pos->moves[m];
        int won = pos->careful ? royal_capture_result(game, pos, m) : 0;
        if (won > 0) {
            record_winning_move(endings, own, 1);
        } else if (won < 0) {
            record_losing_move(endings, own, 1);
        } else if (regular && is_plain_quiet_move(game, pos, &move)) {
            EndingPosition next = here;
            next.side = 1 - here.side;
            for (int x = 0; x < MOST_MEN; x++) {
                if (here.squares[x] == move.origin && endings->pieces[here.material * MOST_MEN + x]) {
                    next.squares[x] = move.target;
                }
            }
            record_move_to(endings, own, position_number(game, endings, &next));
        } else {
            make(game, pos, m);
            record_made_move(game, pos, endings, own, end, deep);
            unmake(game, pos, m);
        }
    }
}

int64_t expand_endings(const Tables *game, Position *pos, Endings *endings, int64_t from, int64_t until) {
    pos->plays_on = 1;
    int material = endings->first_material;
    for (int64_t own = from; own < until && !endings->failed && !endings->stop; own++) {
        int64_t number = endings->first_own + own;
        while (material + 1 < endings->materials && number >= endings->starts[material + 1]) {
            material++;
        }
        EndingPosition found =
            position_of_number(game, endings, material, number - endings->starts[material]);
        if (is_impossible_or_duplicate(game, endings, &found) ||
            (endings->filling && !endings->values[number]) ||
            !put_on_board(game, pos, endings, &found)) {
            continue;
        }
        if (!endings->filling) {
            endings->values[number] = DRAWN;
        }
        record_moves_of_position(game, pos, endings, own, 1, 0);
    }
    clear_board(game, pos);
    return endings->failed;
}

int64_t divide_edge_room(const Tables *game, Position *pos, Endings *endings) {
    (void)game, (void)pos;
    int64_t total = 0;
    for (int64_t own = 0; own < endings->own + endings->extra; own++) {
        total += endings->begins[own];
        endings->begins[own] = (uint32_t)total;
    }
    endings->begins[endings->own + endings->extra] = (uint32_t)total;
    endings->filling = 1;
    int64_t parent = 0;
    for (int64_t at = 0; endings->most_remembered && at < endings->remembered; at++) {
        uint32_t met = endings->edges_met[at];
        if (met & PARENT) {
            parent = met & ~PARENT;
        } else {
            write_edge(endings, parent, met);
        }
    }
    if (!endings->most_remembered) {
        endings->extra = 0;
    }
    return endings->failed;
}

/* Tell all positions that lead to an own one, which is decided after so many plies. */
static void update_parents(Endings *endings, int64_t own, int wins, int plies) {
    for (int64_t at = endings->begins[own]; at < endings->begins[own + 1]; at++) {
        int64_t parent = endings->edges[at];
        if (endings->values[endings->first_own + parent] != DRAWN) {
            continue;
        }
        if (wins) {
            endings->left[parent]--;
            record_losing_move(endings, parent, plies + 1);
        } else {
            record_winning_move(endings, parent, plies + 1);
        }
    }
}

int64_t solve_endings(const Tables *game, Position *pos, Endings *endings, int plies) {
    (void)game, (void)pos;
    for (; plies <= endings->pending && plies <= MOST_PLIES && !endings->stop; plies++) {
        for (int64_t own = 0; own < endings->own + endings->extra; own++) {
            uint16_t *value = endings->values + endings->first_own + own;
            int begun = !plies && *value > DRAWN;
            if (!begun && *value == DRAWN && plies) {
                if (endings->wins[own] == plies) {
                    *value = (uint16_t)(WON + 2 * plies);
                    begun = 1;
                } else if (!endings->wins[own] && !endings->left[own] && endings->losses[own] == plies) {
                    *value = (uint16_t)(LOST + 2 * plies);
                    begun = 1;
                }
            }
            if (begun) {
                update_parents(endings, own, *value & 1, plies);
            }
        }
    }
    return plies > MOST_PLIES ? NO_ROOM : 0;
}

int64_t count_ending_values(const Tables *game, Position *pos, Endings *endings, int material,
                            int64_t *out) {
    (void)pos;
    int64_t start = endings->starts[material];
    int count = count_men(endings, material);
    int64_t rest = 1;
    for (int x = 1; x < count; x++) {
        rest *= game->size;
    }
    int64_t width = count ? endings->widths[material] : 1;
    for (int64_t within = 0; within < 2 * width * rest; within++) {
        int side = within >= width * rest;
        int weight = count ? endings->weights[(int64_t)material * game->size + within / rest % width] : 1;
        out[(int64_t)side * VALUES + endings->values[start + within]] += weight;
        int64_t own = start + within - endings->first_own;
        if (own >= 0 && endings->left[own] == STALEMATED) {
            out[2 * VALUES + side] += weight;
        }
    }
    return 0;
}

int64_t ending_number_of_board(const Tables *game, Position *pos, Endings *endings) {
    EndingPosition found;
    return read_board(game, pos, endings, &found) ? position_number(game, endings, &found) : -1;
}

int64_t decode_ending_position(const Tables *game, Position *pos, Endings *endings, int material,
                               int64_t within, int32_t *out) {
    (void)pos;
    EndingPosition found = position_of_number(game, endings, material, within);
    out[0] = found.side;
    for (int x = 0; x < MOST_MEN; x++) {
        out[1 + x] = found.squares[x];
    }
    return 0;
}

/* Mark where a piece may come by some nodes without becoming another one; how many squares are new. */
static int mark_reachable_targets(const Tables *game, int piece, int node, int end, int32_t *out,
                                  int32_t *squares) {
    int count = 0;
    for (; node < end; node++) {
        int square = (int)(game->nodes[node] & SQUARE);
        int stays = list_contains(game, game->quiet[node], piece) ||
                    list_contains(game, game->taking[node], piece);
        if (stays && out[square]) {
            out[square] = 0;
            squares[count++] = square;
        }
    }
    return count;
}

int64_t mark_unreachable_squares(const Tables *game, Position *pos, int piece, int32_t *out) {
    (void)pos;
    int32_t squares[2 * (SQUARE + 1)];
    int count = 0, returning = 0;
    for (int s = 0; s < game->size; s++) {
        out[s] = game->counted[piece] > 0;
    }
    for (int s = 0; s < game->size; s++) {
        if (out[s] && !assumed_move_count(game, piece, s)) {
            squares[count++] = s;
        }
    }
    // Those where it begins are still marked: it comes back where they are met.
    for (int x = 0; x < count; x++) {
        const Cell *cell = cell_of(game, piece, squares[x]);
        const int32_t *parts = game->pool + cell->parts;
        int met = count;
        count += mark_reachable_targets(game, piece, cell->begin, cell->end, out, squares + count);
        for (int y = 0; y < parts[0]; y++) {
            const Part *part = (const Part *)(parts + 1) + y;
            count += part->steps ? 0
                                 : mark_reachable_targets(game, piece, part->from, part->until, out,
                                                          squares + count);
        }
        for (; met < count; met++) {
            returning = returning || !assumed_move_count(game, piece, squares[met]);
        }
        if (returning) {
            return 1;
        }
    }
    for (int s = 0; s < game->size; s++) {
        out[s] = out[s] && assumed_move_count(game, piece, s);
    }
    return 0;
}

/* Mix a number into another one. */
static uint64_t mix_hash(uint64_t hash, uint64_t number) {
    hash = (hash ^ number) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ (hash >> 29);
}

/* A number for a list; of squares where there is a map, which brings them to others. */
static uint64_t hash_list(const Tables *game, int list, const int32_t *map) {
    uint64_t total = 7;
    for (int x = 0; x < game->pool[list]; x++) {
        int number = game->pool[list + 1 + x];
        int square = map && number < game->size;
        total = map ? total + mix_hash(3, (uint64_t)(square ? map[number] : number))
                    : mix_hash(total, (uint64_t)number);
    }
    return total;
}

/* A number for the paths that some nodes are, brought elsewhere by a map, in whatever order. */
static uint64_t hash_paths(const Tables *game, const int32_t *map, int node, int end) {
    uint64_t total = 1;
    while (node < end) {
        uint64_t w = game->nodes[node];
        int next = node + (int)(w >> SKIP_AT & SKIPS);
        uint64_t hash = mix_hash((uint64_t)map[w & SQUARE], w >> VACANT);
        hash = mix_hash(hash, hash_list(game, game->quiet[node], NULL));
        hash = mix_hash(hash, hash_list(game, game->taking[node], NULL));
        hash = mix_hash(hash, hash_list(game, game->taken[node], map));
        hash = mix_hash(hash, hash_list(game, game->trailing[node], map));
        hash = mix_hash(hash, (uint64_t)game->passing[node]);
        total += mix_hash(hash, hash_paths(game, map, node + 1, next));
        node = next;
    }
    return total;
}

/* A number for what a piece does on a square, brought elsewhere by a map; 0 where it roams. */
static uint64_t hash_moves_on_square(const Tables *game, const int32_t *map, int piece, int s) {
    const Cell *cell = cell_of(game, piece, s);
    uint64_t total = hash_paths(game, map, cell->begin, cell->end);
    const int32_t *parts = game->pool + cell->parts;
    for (int x = 0; x < parts[0]; x++) {
        const Part *part = (const Part *)(parts + 1) + x;
        if (part->roams) {
            return 0;
        }
        if (!part->steps) {
            uint64_t hash = mix_hash(hash_list(game, part->holds, NULL), (uint64_t)part->unchecked);
            total += mix_hash(hash, hash_paths(game, map, part->from, part->until));
        }
    }
    int begins = game->counted[piece] && !assumed_move_count(game, piece, s);
    int wins = game->goals && game->goals[piece * game->size + s];
    return mix_hash(total, (uint64_t)(4 * (wins != 0) + 2 * begins + (game->holes[s] != 0))) | 1;
}

int64_t moves_alike_under_map(const Tables *game, Position *pos, const Endings *endings, int piece,
                              int map_number) {
    (void)pos;
    if (game->ranges || game->limit[piece] || (game->apart && game->apart[piece])) {
        return 0;
    }
    const int32_t *map = endings->maps + (int64_t)map_number * game->size;
    for (int s = 0; s < game->size; s++) {
        uint64_t brought = hash_moves_on_square(game, map, piece, s);
        // The first map leaves every square where it is.
        if (!brought || brought != hash_moves_on_square(game, endings->maps, piece, map[s])) {
            return 0;
        }
    }
    return 1;
}
