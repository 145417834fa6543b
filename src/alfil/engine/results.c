/* How games end: the one place that knows, for games that are played, searches and random games.

   Each way to end is a function that says which side has won, `DRAW`, or `NOBODY` where the game goes
   on, for the side to move. */

enum { NOBODY = -1 };

/* The forms of a node in any class. */
#define ANY_FORMS (UINT64_C(0x777777777) << VACANT)

/* The legal moves of the side to move: how many there are, the first, and the place after the last,
   which is free; `first` is below 0 where they are only counted. */
typedef struct {
    int count, first, free;
} LegalMoves;

/* Of extinction: how many pieces a side may have left, what it is then for that side (1 it wins, -1
   it loses, `DRAW`), and for each side the list of its lists of kinds that count together. */
enum { LEFT_OVER, MEANT, SORTS };
/* Of a limit of moves: how many of both sides together. */
enum { ALLOWED };
/* Of countdowns: how many rows follow, and in each how many pieces a side may have left, or 0, of
   which kind the other one must have how many, 1 more or 0 for any, and the moves. */
enum { ROW_LEFT, ROW_KIND, ROW_NUMBER, ROW_MOVES, ROW };
/* Of repetition: after how many occurrences, and what it is. Of who wins draws: how that is known,
   and what both sides count besides their pieces. */
enum { TIMES, REPEATED, FIRST_LOSES = 1, REPEATER_LOSES };
enum { HOW, ODDS };

/* The numbers of a rule that has more than one, NULL where it does not hold. */
static const int32_t *rule_numbers(const Tables *game, int rule) {
    return game->rules[rule] ? game->pool + game->rules[rule] : NULL;
}

/* How many pieces of a kind a side has, on the board and in hand. */
static int count_pieces_of_kind(const Tables *game, const Position *pos, int side, int kind) {
    int count = pos->hands[side * game->kinds + kind];
    for (int file = 0; file < game->files; file++) {
        count += pos->on_file[(1 + 2 * kind + side) * game->files + file];
    }
    return count;
}

/* How many pieces a side has, on the board and in hand. */
static int count_with_hand(const Tables *game, const Position *pos, int side) {
    int count = pos->counts[side];
    for (int kind = 0; kind < game->kinds; kind++) {
        count += pos->hands[side * game->kinds + kind];
    }
    return count;
}

int64_t points_of(const Tables *game, Position *pos, int side) {
    int total = 0;
    for (int x = 0; x < pos->counts[side]; x++) {
        total += game->points[pos->board[pos->lists[side * game->size + x]]];
    }
    for (int kind = 0; kind < game->kinds; kind++) {
        total += pos->hands[side * game->kinds + kind] * game->points[1 + 2 * kind + side];
    }
    return total;
}

/* Who has won where one of two sides, or neither, counts more. */
static int side_with_more(int64_t first, int64_t second) {
    return first == second ? DRAW : first > second ? 0 : 1;
}

/* Who has won where the game would be a draw. */
static int winner_of_draw(const Tables *game, Position *pos) {
    const int32_t *odds = rule_numbers(game, RULE_DRAW_ODDS);
    if (!odds) {
        return DRAW;
    }
    if (odds[HOW] != DRAW_ODDS_POINTS) {
        return odds[HOW] == DRAW_ODDS_SECOND;
    }
    return side_with_more(points_of(game, pos, 0) + odds[ODDS],
                          points_of(game, pos, 1) + odds[ODDS + 1]);
}

static int winner_by_royal_capture(const Tables *game, Position *pos, const LegalMoves *replies) {
    (void)game, (void)replies;
    int won = pos->line[pos->past].won;
    return !won ? NOBODY : won > 0 ? 1 - pos->side : pos->side;
}

/* A side has too few pieces of some sort; the one that moved last is looked at before the other. */
static int winner_by_extinction(const Tables *game, Position *pos, const LegalMoves *replies) {
    (void)replies;
    const int32_t *rule = rule_numbers(game, RULE_EXTINCTION);
    for (int n = 0; n < 2; n++) {
        int side = n ? pos->side : 1 - pos->side;
        int sorts = rule[SORTS + side];
        for (int x = 0; x < game->pool[sorts]; x++) {
            int kinds = game->pool[sorts + 1 + x];
            int count = 0;
            for (int y = 0; y < game->pool[kinds]; y++) {
                count += count_pieces_of_kind(game, pos, side, game->pool[kinds + 1 + y]);
            }
            if (count <= rule[LEFT_OVER]) {
                return rule[MEANT] == DRAW ? DRAW : rule[MEANT] > 0 ? side : 1 - side;
            }
        }
    }
    return NOBODY;
}

/* Whether a side in check that has no legal move is mated.

   Where royals are captured to win and check is barred, all its moves would let that happen. */
static int is_mate_decisive(const Tables *game) {
    int ways = game->rules[RULE_WIN];
    return ways & WIN_MATE || (ways & WIN_ROYAL_CAPTURE && !game->rules[RULE_SELF_CHECK]);
}

/* Whether all pieces that give check never mate, and whether none of them makes a mate count. */
static int has_only_weak_checkers(const Tables *game, Position *pos, int never) {
    int count = 0;
    for (int x = 0; x < pos->counts[1 - pos->side]; x++) {
        int s = pos->lists[(1 - pos->side) * game->size + x];
        int mates = game->mates[pos->board[s]];
        int matters = never ? mates != NEVER_MATES : mates != MATES_DRAWN;
        if (attacks_royal(game, pos, s)) {
            if (matters) {
                return 0;
            }
            count++;
        }
    }
    return count > 0;
}

/* Whether a check that makes a mate count is among those given in a row up to now. */
static int series_has_mating_check(const Position *pos) {
    for (int n = pos->past; n > 0 && pos->line[n].check; n -= 2) {
        if (pos->line[n].mating) {
            return 1;
        }
    }
    return 0;
}

static int winner_by_mate(const Tables *game, Position *pos, const LegalMoves *replies) {
    if (replies->count || !is_mate_decisive(game) || !is_in_check(game, pos, pos->side)) {
        return NOBODY;
    }
    if (game->varied_mates) {
        if (has_only_weak_checkers(game, pos, 1)) {
            return pos->side;
        }
        if (pos->past && !series_has_mating_check(pos)) {
            return DRAW;
        }
    }
    return game->rules[RULE_MATE] == MATE_WIN ? pos->side : 1 - pos->side;
}

/* Whether a piece of a side stands on its goal so that it counts. */
static int is_at_goal(const Tables *game, Position *pos, int side, int safely) {
    for (int j = 0, end_j = pos->counts[side]; j < end_j; j++) {
        int s = pos->lists[side * game->size + j];
        int piece = pos->board[s];
        if (game->goals[piece * game->size + s]) {
            return !(safely && game->royal[piece] && is_checked(game, pos, side));
        }
    }
    return 0;
}

/* Whether the side to move can reach its goal with its next move. */
static int can_reach_goal(const Tables *game, Position *pos, const LegalMoves *replies) {
    int end =
        replies->first < 0 ? generate_legal_unordered(game, pos, replies->free) : replies->free;
    for (int m = replies->first < 0 ? replies->free : replies->first; m < end; m++) {
        if (game->goals[pos->moves[m].becomes * game->size + pos->moves[m].target]) {
            return 1;
        }
    }
    return 0;
}

static int winner_by_goal(const Tables *game, Position *pos, const LegalMoves *replies) {
    int side = pos->side, when = game->rules[RULE_GOAL_WINS];
    if (!game->goals) {
        return NOBODY;
    }
    int mine = is_at_goal(game, pos, side, when == GOAL_WINS_AT_ONCE);
    int theirs = is_at_goal(game, pos, 1 - side, when == GOAL_WINS_AT_ONCE);
    if (mine) {
        // It was reached before, and has not been taken.
        return theirs && when != GOAL_WINS_NEXT_TURN ? DRAW : side;
    }
    if (!theirs || when == GOAL_WINS_NEXT_TURN) {
        return NOBODY;
    }
    int late = when == GOAL_WINS_AFTER_REPLY && side && can_reach_goal(game, pos, replies);
    return late ? NOBODY : 1 - side;
}

static int winner_by_check_count(const Tables *game, Position *pos, const LegalMoves *replies) {
    (void)replies;
    const int32_t *given = pos->line[pos->past].given;
    if (!game->checks_to_win || (given[0] < game->checks_to_win && given[1] < game->checks_to_win)) {
        return NOBODY;
    }
    return given[1] > given[0];
}

/* Whether a side has nothing but royals left. */
static int has_only_royals(const Tables *game, Position *pos, int side) {
    int royals = count_royals(game, pos, side, ANY) + count_royals(game, pos, side, LAST);
    return count_with_hand(game, pos, side) == royals;
}

/* Whether the piece on a square could move from there on some board. */
static int may_ever_move(const Tables *game, const Position *pos, int s) {
    const Cell *cell = cell_of(game, pos->board[s], s);
    for (int i = cell->begin; i < cell->end; i++) {
        if (game->nodes[i] & ANY_FORMS) {
            return 1;
        }
    }
    return game->pool[cell->parts] > 0;
}

/* Whether the piece on a square counts where a side is bared: it may move from there, and is no minor
   one, if those do not count. */
static int piece_counts_against_bare(const Tables *game, const Position *pos, int s,
                                     int minor_too) {
    return (minor_too || !is_piece_of_rule(game, RULE_BARE_MINOR, pos->board[s])) &&
           may_ever_move(game, pos, s);
}

/* How many pieces of a side count; no more than one more than `most`. */
static int count_pieces_against_bare(const Tables *game, const Position *pos, int side, int most,
                                     int minor_too) {
    int count = 0;
    for (int x = 0; x < pos->counts[side] && count <= most; x++) {
        count += piece_counts_against_bare(game, pos, pos->lists[side * game->size + x], minor_too);
    }
    return count;
}

/* Where a side has nothing left but one royal that can move, the square of that; else the number of
   squares. */
static int lone_royal(const Tables *game, Position *pos, int side) {
    int found = game->size;
    int royals = count_royals(game, pos, side, ANY) + count_royals(game, pos, side, LAST);
    if (royals != 1 || count_with_hand(game, pos, side) != pos->counts[side] ||
        count_pieces_against_bare(game, pos, side, 1, 1) != 1) {
        return found;
    }
    for (int x = 0; x < pos->counts[side]; x++) {
        int s = pos->lists[side * game->size + x];
        found = game->royal[pos->board[s]] ? s : found;
    }
    return found;
}

/* Whether the lone royal on a square could save its side: it attacks another royal, or all that the
   other side has besides. */
static int can_answer_bare(const Tables *game, Position *pos, int royal) {
    int side = (pos->board[royal] - 1) & 1;
    int several = count_pieces_against_bare(game, pos, 1 - side, 2, 0) > 2;
    for (int x = 0; x < pos->counts[1 - side]; x++) {
        int s = pos->lists[(1 - side) * game->size + x];
        int matters =
            game->royal[pos->board[s]] || (!several && piece_counts_against_bare(game, pos, s, 0));
        if (matters && attacks_square(game, pos, royal, s)) {
            return 1;
        }
    }
    return 0;
}

/* Who has won where a side has nothing but a lone royal that cannot answer that; both draw. */
static int winner_by_unanswered_bare(const Tables *game, Position *pos) {
    int mine = lone_royal(game, pos, pos->side);
    int theirs = lone_royal(game, pos, 1 - pos->side);
    if (mine < game->size && theirs < game->size) {
        int answering = can_answer_bare(game, pos, mine) || can_answer_bare(game, pos, theirs);
        return answering ? NOBODY : DRAW;
    }
    int royal = mine < theirs ? mine : theirs;
    if (royal == game->size || can_answer_bare(game, pos, royal)) {
        return NOBODY;
    }
    int other = pos->board[royal] & 1;
    return count_pieces_against_bare(game, pos, other, 1, 0) > 1 ? other : NOBODY;
}

static int winner_by_bare_king(const Tables *game, Position *pos, const LegalMoves *replies) {
    (void)replies;
    if (!(game->rules[RULE_WIN] & WIN_BARE)) {
        return NOBODY;
    }
    if (game->rules[RULE_BARE] == BARE_UNANSWERED) {
        return winner_by_unanswered_bare(game, pos);
    }
    int side = pos->side;
    return has_only_royals(game, pos, side)       ? 1 - side
           : has_only_royals(game, pos, 1 - side) ? side
                                                  : NOBODY;
}

static int winner_by_stalemate(const Tables *game, Position *pos, const LegalMoves *replies) {
    if (replies->count) {
        return NOBODY;
    }
    int side = pos->side;
    int first = count_with_hand(game, pos, 0), second = count_with_hand(game, pos, 1);
    switch (game->rules[RULE_STALEMATE]) {
    case STALEMATE_LOSS:
        return 1 - side;
    case STALEMATE_WIN:
        return side;
    case STALEMATE_FEWER:
        return side_with_more(second, first);
    case STALEMATE_MORE:
        return side_with_more(first, second);
    default:
        return DRAW;
    }
}

static int draw_by_material(const Tables *game, Position *pos, const LegalMoves *replies) {
    (void)replies;
    return game->dead && is_insufficient_material(game, pos) ? DRAW : NOBODY;
}

/* Whether neither side has a move but to pass; the list has only one move. */
static int both_can_only_pass(const Tables *game, Position *pos, const LegalMoves *replies) {
    int end =
        replies->first < 0 ? generate_legal_unordered(game, pos, replies->free) : replies->free;
    int m = replies->first < 0 ? replies->free : replies->first;
    if (!is_pass(game, pos, m)) {
        return 0;
    }
    make(game, pos, m);
    int still = 1;
    int last = generate_legal_unordered(game, pos, end);
    for (int n = end; n < last; n++) {
        still = still && is_pass(game, pos, n);
    }
    unmake(game, pos, m);
    return still;
}

static int draw_by_passes(const Tables *game, Position *pos, const LegalMoves *replies) {
    if (game->rules[RULE_PASSES] == PASSES_STUCK) {
        return replies->count == 1 && both_can_only_pass(game, pos, replies) ? DRAW : NOBODY;
    }
    const Ply *last = pos->line + pos->past;
    return pos->past > 1 && last->passed && last[-1].passed ? DRAW : NOBODY;
}

/* Who passes while royals face each other draws. */
static int draw_by_bikjang(const Tables *game, Position *pos, const LegalMoves *replies) {
    (void)replies;
    int passed = pos->line[pos->past].passed && game->rules[RULE_PASSES] == PASSES_ALLOWED;
    return passed && game->meeting && royals_face_each_other(game, pos) ? DRAW : NOBODY;
}

static int draw_by_move_limit(const Tables *game, Position *pos, const LegalMoves *replies) {
    (void)replies;
    int most = rule_numbers(game, RULE_MOVE_LIMIT)[ALLOWED];
    return pos->line[pos->past].idle >= most ? DRAW : NOBODY;
}

static int draw_by_counting_rule(const Tables *game, Position *pos, const LegalMoves *replies) {
    (void)game, (void)replies;
    const Ply *last = pos->line + pos->past;
    return last->counted > last->limit ? DRAW : NOBODY;
}

/* Enter the last position of the line, at a place, where those like it are looked for. */
static inline void add_to_visits(const Position *pos, int place) {
    Ply *made = pos->line + place;
    int32_t *last = pos->visits + (made->board & VISITS);
    made->earlier = *last;
    *last = place + 1;
}

/* Take it out there. */
static inline void remove_from_visits(const Position *pos, int place) {
    const Ply *made = pos->line + place;
    pos->visits[made->board & VISITS] = (int32_t)made->earlier;
}

/* The place of a line before another one where the same may stand on the board, below 0 for none. */
static inline int earlier_visit(const Ply *line, int place) {
    return (int)line[place].earlier - 1;
}

/* The first place of a line where the position of another one may have stood. */
static int first_repeatable(const Ply *line, int place) {
    return place > line[place].fresh ? place - line[place].fresh : 0;
}

/* How many positions of the line before a place are the one there; the last and the first of them. */
static int count_repetitions(const Position *pos, int place, int *last, int *first) {
    int count = 0;
    const Ply *line = pos->line;
    int farthest = first_repeatable(line, place);
    for (int n = earlier_visit(line, place); n >= farthest; n = earlier_visit(line, n)) {
        if (line[n].key == line[place].key) {
            *first = n;
            *last = count ? *last : n;
            count++;
        }
    }
    return count;
}

/* Whether each move of a side after a place of the line gave check; it made one at least. */
static int always_checked_since(const Position *pos, int since, int side) {
    int made = 0;
    for (int n = pos->past - (side == pos->side); n > since; n -= 2) {
        made = 1;
        if (!pos->line[n].check) {
            return 0;
        }
    }
    return made;
}

/* What a repetition is in which sides, a bit each, did what loses; both of them draw. */
static int winner_of_perpetual(int sides, int value) {
    return sides == 3 || value == PERPETUAL_CHECK_DRAW ? DRAW : sides == 1;
}

/* Result and reason of a repetition: four times the reason, and the side that has won. */
static int plain_repetition_result(const Tables *game, Position *pos, const LegalMoves *replies) {
    const int32_t *rule = rule_numbers(game, RULE_REPETITION);
    int last = 0, first = 0;
    int count = count_repetitions(pos, pos->past, &last, &first);
    // What a line comes back to is as good as repeated.
    int soon = pos->root && last + 1 >= pos->root;
    if (!count || !(soon || count + 1 >= rule[TIMES])) {
        return 0;
    }
    int whole = game->rules[RULE_PERPETUAL_SPAN] == PERPETUAL_SPAN_FIRST;
    int since = whole && count + 1 >= rule[TIMES] ? first : last;
    int value = game->rules[RULE_PERPETUAL_CHECK];
    int sides =
        value ? always_checked_since(pos, since, 0) + 2 * always_checked_since(pos, since, 1) : 0;
    if (sides) {
        int by = sides == 3 ? BY_REPETITION : BY_PERPETUAL_CHECK;
        return WINNERS * by + winner_of_perpetual(sides, value);
    }
    value = game->rules[RULE_PERPETUAL_CHASE];
    sides = value && !game->roaming ? sides_chasing_since(game, pos, since, replies->free) : 0;
    if (sides) {
        int by = sides == 3 ? BY_REPETITION : BY_PERPETUAL_CHASE;
        return WINNERS * by + winner_of_perpetual(sides, value);
    }
    if (game->rules[RULE_PERPETUAL_ATTACK] &&
        always_attacked_since(game, pos, since, replies->free)) {
        return WINNERS * BY_PERPETUAL_ATTACK + pos->side;
    }
    int won = rule[REPEATED] == FIRST_LOSES ? 1 : rule[REPEATED] ? pos->side : DRAW;
    return WINNERS * BY_REPETITION + won;
}

/* The ways in which games end, in the order in which they are asked for. Those that are `quick` need
   no legal moves, and what comes before them is the same for who is not in check; `rule` is the one
   that must hold, if any. */
static const struct Ending {
    int reason, quick, rule;
    int (*ask)(const Tables *game, Position *pos, const LegalMoves *replies);
} ENDINGS[] = {
    {BY_CAPTURE, 1, -1, winner_by_royal_capture},
    {BY_EXTINCTION, 1, RULE_EXTINCTION, winner_by_extinction},
    {BY_MATE, 0, -1, winner_by_mate},
    {BY_GOAL, 0, RULE_GOAL, winner_by_goal},
    {BY_CHECKS, 0, -1, winner_by_check_count},
    {BY_BARE, 1, -1, winner_by_bare_king},
    {BY_STALEMATE, 0, -1, winner_by_stalemate},
    {BY_MATERIAL, 1, RULE_INSUFFICIENT, draw_by_material},
    {BY_PASSES, 0, RULE_PASSES, draw_by_passes},
    {BY_FACING, 0, RULE_FACING, draw_by_bikjang},
    {BY_MOVES, 0, RULE_MOVE_LIMIT, draw_by_move_limit},
    {BY_COUNTDOWN, 0, RULE_COUNTDOWN, draw_by_counting_rule},
};

static int has_ending(const Tables *game, const Position *pos, const struct Ending *ending) {
    return !(pos->plays_on && CLAIMED >> ending->reason & 1) && (ending->rule < 0 || game->rules[ending->rule]);
}

static int encode_result(const Tables *game, Position *pos, int reason, int won) {
    return WINNERS * reason + (won == DRAW ? winner_of_draw(game, pos) : won);
}

/* How the game has ended by repetition, 0 where it goes on. */
static int result_by_repetition(const Tables *game, Position *pos, const LegalMoves *replies) {
    const Ply *last = pos->line + pos->past;
    if (!game->rules[RULE_REPETITION] || pos->plays_on || last->fresh < 2 || !last->earlier) {
        return 0;
    }
    int found = plain_repetition_result(game, pos, replies);
    return found ? encode_result(game, pos, found >> 2, found & 3) : 0;
}

/* How the game has ended, 0 where it goes on; the key of the position must be settled. What is `quick`
   need not be asked again where that is known to be nothing. */
static int game_result(const Tables *game, Position *pos, const LegalMoves *replies,
                       int skip_quick) {
    for (size_t n = 0; n < sizeof ENDINGS / sizeof *ENDINGS; n++) {
        const struct Ending *ending = ENDINGS + n;
        int asked = !(skip_quick && ending->quick) && has_ending(game, pos, ending);
        int won = asked ? ending->ask(game, pos, replies) : NOBODY;
        if (won != NOBODY) {
            return encode_result(game, pos, ending->reason, won);
        }
    }
    return skip_quick ? 0 : result_by_repetition(game, pos, replies);
}

/* The same as far as it is known without the legal moves; `at` is free room in the list. */
static int quick_result(const Tables *game, Position *pos, int at) {
    LegalMoves unknown = {1, -1, at};
    for (size_t n = 0; n < sizeof ENDINGS / sizeof *ENDINGS; n++) {
        const struct Ending *ending = ENDINGS + n;
        int asked = ending->quick && has_ending(game, pos, ending);
        int won = asked ? ending->ask(game, pos, &unknown) : NOBODY;
        if (won != NOBODY) {
            int mated = ending->reason > BY_MATE && is_in_check(game, pos, pos->side);
            return mated ? 0 : encode_result(game, pos, ending->reason, won);
        }
    }
    return pos->trail || pos->exchanged ? 0 : result_by_repetition(game, pos, &unknown);
}

/* Whether a capture en passant is legal. */
static int has_en_passant_capture(const Tables *game, Position *pos, const LegalMoves *replies) {
    if (!pos->trail) {
        return 0;
    }
    int m = replies->first < 0 ? replies->free : replies->first;
    int end =
        replies->first < 0 ? generate_legal_unordered(game, pos, replies->free) : replies->free;
    int met = 0;
    for (; m < end && !met; m++) {
        for (int x = 0, end_x = count_captured_squares(game, pos, m); x < end_x; x++) {
            int q = nth_captured_square(game, pos, m, x);
            met = met || (q == pos->victim && q != pos->moves[m].target);
        }
    }
    return met;
}

/* Have the key of the last position tell which captures are legal or not for what was just moved. */
static void add_en_passant_to_key(const Tables *game, Position *pos, const LegalMoves *replies) {
    if (!pos->trail && !pos->exchanged) {
        return;
    }
    Ply *last = pos->line + pos->past;
    uint64_t passing = has_en_passant_capture(game, pos, replies) ? en_passant_key(game, pos) : 0;
    last->key = (last->board + last->rights + passing + barred_exchange_key(game, pos)) & MASK;
}

/* In how many moves of both sides a side must be mated as the pieces are, 0 for no limit. */
static int counting_limit_for(const Tables *game, const Position *pos, int side) {
    int without = game->rules[RULE_COUNTDOWN_WITHOUT];
    for (int x = 0; x < game->pool[without]; x++) {
        int piece = 1 + 2 * game->pool[without + 1 + x];
        for (int file = 0; file < game->files; file++) {
            const int32_t *there = pos->on_file + piece * game->files + file;
            if (there[0] || there[game->files]) {
                return 0;
            }
        }
    }
    const int32_t *rows = rule_numbers(game, RULE_COUNTDOWN);
    for (int n = 0; n < rows[0] && pos->counts[1 - side] > 1; n++) {
        const int32_t *row = rows + 1 + n * ROW;
        int against = row[ROW_NUMBER];
        if (row[ROW_KIND]) {
            int kind = row[ROW_KIND] - 1;
            against = count_pieces_of_kind(game, pos, 1 - side, kind) -
                      pos->hands[(1 - side) * game->kinds + kind];
        }
        if ((!row[ROW_LEFT] || pos->counts[side] <= row[ROW_LEFT]) && against >= row[ROW_NUMBER]) {
            return row[ROW_MOVES];
        }
    }
    return 0;
}

/* Count on towards the moves in which a side must be mated.

   That begins when a row of the rule fits the side to move, and again when a capture leaves that side
   alone. Who is left alone by its own capture begins at once. */
static void update_counting_rule(const Tables *game, const Position *pos, Ply *ply, int captures) {
    int side = pos->side;
    int from_pieces = game->rules[RULE_COUNTDOWN_FROM] == COUNTDOWN_FROM_PIECES;
    int before = from_pieces ? 2 * (pos->counts[0] + pos->counts[1]) : 0;
    int alone = pos->counts[side] == 1;
    int begins = (captures && alone) || !ply->limit;
    int moves = begins ? counting_limit_for(game, pos, side) : 0;
    if (moves) {
        ply->limit = moves;
        ply->counted = alone ? before : 0;
        return;
    }
    if (from_pieces && captures && pos->counts[1 - side] == 1 && !ply->limit) {
        ply->limit = counting_limit_for(game, pos, 1 - side);
        ply->counted = ply->limit && before > 1 ? before - 1 : 0;
        return;
    }
    ply->counted = ply->limit ? ply->counted + 1 : 0;
}

/* Note what checks the move just made gives. */
static void record_check(const Tables *game, Position *pos, Ply *ply) {
    int side = 1 - pos->side;
    ply->check = game->minding_checks && !ply->won && is_in_check(game, pos, pos->side);
    ply->mating = !(ply->check && game->varied_mates && has_only_weak_checkers(game, pos, 0));
    if (ply->check && game->checks_to_win) {
        ply->given[side]++;
    }
}

/* The part of a key that checks given are. */
static uint64_t check_count_key(const Tables *game, const Ply *ply) {
    int counts = game->checks_to_win && (ply->given[0] || ply->given[1]);
    return counts ? hash_of_squares(GIVEN, ply->given[0], ply->given[1]) : 0;
}

/* Enter the pieces on the board, and begin a line with the position as it is. */
void begin_line_from_board(const Tables *game, Position *pos) {
    Ply *made = pos->line;
    fill_piece_lists(game, pos);
    for (int side = 0; side < 2; side++) {
        int royals = 0;
        for (int x = 0; x < pos->counts[side]; x++) {
            int s = pos->lists[side * game->size + x];
            if (game->royal[pos->board[s]]) {
                royals++;
                pos->royals[side] = s;
            }
        }
        pos->careful = pos->careful || royals != 1;
    }
    if (pos->careful || is_checked(game, pos, 1 - pos->side)) {
        pos->careful = 1;
        pos->royals[0] = pos->royals[1] = game->size;
    }
    reset_walk_counts(pos);
    pos->past = 0;
    made->rights = all_castling_rights_key(game, pos) + check_count_key(game, made);
    made->board = board_key(game, pos);
    made->key = (made->board + made->rights) & MASK;
    add_to_visits(pos, 0);
}

void make_line_move(const Tables *game, Position *pos, int m) {
    const Ply *last = pos->line + pos->past;
    Ply *made = pos->line + pos->past + 1;
    const Move *move = pos->moves + m;
    if (pos->past >= pos->last_past || abort_without_undo_room(game, pos)) {
        abort_call(game, ENDLESS);
        pos->unmade++;
        return;
    }
    int drops = move->origin == game->size;
    int piece = drops ? move->becomes : pos->board[move->origin];
    int changing = move->flags & CHANGING;
    // Castling asks for pieces that have not moved; a phase of drops puts such down.
    int righted = drops || changing || (last->rights && !pos->made[move->origin]);
    *made = *last;
    made->move = *move;
    made->won = pos->careful ? royal_capture_result(game, pos, m) : 0;
    made->passed = !drops && is_pass(game, pos, m);
    uint64_t key = changing ? 0 : remove_move_from_key(game, pos, last->board, move, m);
    make(game, pos, m);
    pos->past++;
    int captures = last_undo_record(pos)[0];
    made->board = changing ? board_key(game, pos) : add_move_to_key(game, pos, key, &made->move);
    record_check(game, pos, made);
    if (righted || (captures && last->rights) || made->given[0] != last->given[0] ||
        made->given[1] != last->given[1]) {
        made->rights = all_castling_rights_key(game, pos) + check_count_key(game, made);
    }
    made->key = (made->board + made->rights) & MASK;
    made->fresh = captures && game->vanishing ? 0 : last->fresh + 1;
    int gets_on = captures || drops || (game->progress && game->progress[piece]);
    made->idle = gets_on && !made->passed ? 0 : last->idle + 1;
    if (game->rules[RULE_COUNTDOWN]) {
        update_counting_rule(game, pos, made, captures);
    }
    add_to_visits(pos, pos->past);
}

/* Take back the last move of the line, which stands in the list. */
static void unmake_line_move_at(const Tables *game, Position *pos, int m) {
    int made = !pos->unmade;
    unmake(game, pos, m);
    if (made) {
        remove_from_visits(pos, pos->past);
        pos->past--;
    }
}

void unmake_line_move(const Tables *game, Position *pos) {
    pos->moves[0] = pos->line[pos->past].move;
    unmake_line_move_at(game, pos, 0);
}

/* How often the same stood on the board before. */
static int count_board_repetitions(const Position *pos) {
    int count = 0;
    const Ply *line = pos->line;
    int farthest = first_repeatable(line, pos->past);
    for (int n = earlier_visit(line, pos->past); n >= farthest; n = earlier_visit(line, n)) {
        count += line[n].board == line[pos->past].board;
    }
    return count;
}
