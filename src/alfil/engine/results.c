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
} Replies;

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
static const int32_t *numbers_of(const Tables *game, int rule) {
    return game->rules[rule] ? game->pool + game->rules[rule] : NULL;
}

/* How many pieces of a kind a side has, on the board and in hand. */
static int count_kind(const Tables *game, const Position *pos, int side, int kind) {
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
static int more_wins(int64_t first, int64_t second) {
    return first == second ? DRAW : first > second ? 0 : 1;
}

/* Who has won where the game would be a draw. */
static int favoured(const Tables *game, Position *pos) {
    const int32_t *odds = numbers_of(game, RULE_DRAW_ODDS);
    if (!odds) {
        return DRAW;
    }
    if (odds[HOW] != DRAW_ODDS_POINTS) {
        return odds[HOW] == DRAW_ODDS_SECOND;
    }
    return more_wins(points_of(game, pos, 0) + odds[ODDS], points_of(game, pos, 1) + odds[ODDS + 1]);
}

static int by_capture(const Tables *game, Position *pos, const Replies *replies) {
    (void)game, (void)replies;
    int won = pos->line[pos->past].won;
    return !won ? NOBODY : won > 0 ? 1 - pos->side : pos->side;
}

/* A side has too few pieces of some sort; the one that moved last is looked at before the other. */
static int by_extinction(const Tables *game, Position *pos, const Replies *replies) {
    (void)replies;
    const int32_t *rule = numbers_of(game, RULE_EXTINCTION);
    for (int n = 0; n < 2; n++) {
        int side = n ? pos->side : 1 - pos->side;
        int sorts = rule[SORTS + side];
        for (int x = 0; x < game->pool[sorts]; x++) {
            int kinds = game->pool[sorts + 1 + x];
            int count = 0;
            for (int y = 0; y < game->pool[kinds]; y++) {
                count += count_kind(game, pos, side, game->pool[kinds + 1 + y]);
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
static int can_be_mated(const Tables *game) {
    int ways = game->rules[RULE_WIN];
    return ways & WIN_MATE || (ways & WIN_ROYAL_CAPTURE && !game->rules[RULE_SELF_CHECK]);
}

/* Whether all pieces that give check never mate, and whether none of them makes a mate count. */
static int only_checked_by(const Tables *game, Position *pos, int never) {
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
static int is_mating(const Position *pos) {
    for (int n = pos->past; n > 0 && pos->line[n].check; n -= 2) {
        if (pos->line[n].mating) {
            return 1;
        }
    }
    return 0;
}

static int by_mate(const Tables *game, Position *pos, const Replies *replies) {
    if (replies->count || !can_be_mated(game) || !is_in_check(game, pos, pos->side)) {
        return NOBODY;
    }
    if (game->varied_mates) {
        if (only_checked_by(game, pos, 1)) {
            return pos->side;
        }
        if (pos->past && !is_mating(pos)) {
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
static int can_reach_goal(const Tables *game, Position *pos, const Replies *replies) {
    int end = replies->first < 0 ? generate_unordered(game, pos, replies->free) : replies->free;
    for (int m = replies->first < 0 ? replies->free : replies->first; m < end; m++) {
        if (game->goals[pos->moves[m].becomes * game->size + pos->moves[m].target]) {
            return 1;
        }
    }
    return 0;
}

static int by_goal(const Tables *game, Position *pos, const Replies *replies) {
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

static int by_checks(const Tables *game, Position *pos, const Replies *replies) {
    (void)replies;
    const int32_t *given = pos->line[pos->past].given;
    if (!game->checks_to_win || (given[0] < game->checks_to_win && given[1] < game->checks_to_win)) {
        return NOBODY;
    }
    return given[1] > given[0];
}

/* Whether a side has nothing but royals left. */
static int is_bare(const Tables *game, Position *pos, int side) {
    int royals = royals_of(game, pos, side, ANY) + royals_of(game, pos, side, LAST);
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
static int keeps_playing(const Tables *game, const Position *pos, int s, int minor_too) {
    return (minor_too || !is_among(game, RULE_BARE_MINOR, pos->board[s])) && may_ever_move(game, pos, s);
}

/* How many pieces of a side count; no more than one more than `most`. */
static int playing_pieces(const Tables *game, const Position *pos, int side, int most, int minor_too) {
    int count = 0;
    for (int x = 0; x < pos->counts[side] && count <= most; x++) {
        count += keeps_playing(game, pos, pos->lists[side * game->size + x], minor_too);
    }
    return count;
}

/* Where a side has nothing left but one royal that can move, the square of that; else the number of
   squares. */
static int lone_royal(const Tables *game, Position *pos, int side) {
    int found = game->size;
    int royals = royals_of(game, pos, side, ANY) + royals_of(game, pos, side, LAST);
    if (royals != 1 || count_with_hand(game, pos, side) != pos->counts[side] ||
        playing_pieces(game, pos, side, 1, 1) != 1) {
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
static int is_answering(const Tables *game, Position *pos, int royal) {
    int side = (pos->board[royal] - 1) & 1;
    int several = playing_pieces(game, pos, 1 - side, 2, 0) > 2;
    for (int x = 0; x < pos->counts[1 - side]; x++) {
        int s = pos->lists[(1 - side) * game->size + x];
        int matters = game->royal[pos->board[s]] || (!several && keeps_playing(game, pos, s, 0));
        if (matters && attacks_square(game, pos, royal, s)) {
            return 1;
        }
    }
    return 0;
}

/* Who has won where a side has nothing but a lone royal that cannot answer that; both draw. */
static int by_unanswered_bare(const Tables *game, Position *pos) {
    int mine = lone_royal(game, pos, pos->side);
    int theirs = lone_royal(game, pos, 1 - pos->side);
    if (mine < game->size && theirs < game->size) {
        int answering = is_answering(game, pos, mine) || is_answering(game, pos, theirs);
        return answering ? NOBODY : DRAW;
    }
    int royal = mine < theirs ? mine : theirs;
    if (royal == game->size || is_answering(game, pos, royal)) {
        return NOBODY;
    }
    int other = pos->board[royal] & 1;
    return playing_pieces(game, pos, other, 1, 0) > 1 ? other : NOBODY;
}

static int by_bare(const Tables *game, Position *pos, const Replies *replies) {
    (void)replies;
    if (!(game->rules[RULE_WIN] & WIN_BARE)) {
        return NOBODY;
    }
    if (game->rules[RULE_BARE] == BARE_UNANSWERED) {
        return by_unanswered_bare(game, pos);
    }
    int side = pos->side;
    return is_bare(game, pos, side) ? 1 - side : is_bare(game, pos, 1 - side) ? side : NOBODY;
}

static int by_stalemate(const Tables *game, Position *pos, const Replies *replies) {
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
        return more_wins(second, first);
    case STALEMATE_MORE:
        return more_wins(first, second);
    default:
        return DRAW;
    }
}

static int by_material(const Tables *game, Position *pos, const Replies *replies) {
    (void)replies;
    return game->dead && is_dead(game, pos) ? DRAW : NOBODY;
}

/* Whether neither side has a move but to pass; the list has only one move. */
static int stands_still(const Tables *game, Position *pos, const Replies *replies) {
    int end = replies->first < 0 ? generate_unordered(game, pos, replies->free) : replies->free;
    int m = replies->first < 0 ? replies->free : replies->first;
    if (!is_pass(game, pos, m)) {
        return 0;
    }
    make(game, pos, m);
    int still = 1;
    int last = generate_unordered(game, pos, end);
    for (int n = end; n < last; n++) {
        still = still && is_pass(game, pos, n);
    }
    unmake(game, pos, m);
    return still;
}

static int by_passes(const Tables *game, Position *pos, const Replies *replies) {
    if (game->rules[RULE_PASSES] == PASSES_STUCK) {
        return replies->count == 1 && stands_still(game, pos, replies) ? DRAW : NOBODY;
    }
    const Ply *last = pos->line + pos->past;
    return pos->past > 1 && last->passed && last[-1].passed ? DRAW : NOBODY;
}

/* Who passes while royals face each other draws. */
static int by_facing(const Tables *game, Position *pos, const Replies *replies) {
    (void)replies;
    int passed = pos->line[pos->past].passed && game->rules[RULE_PASSES] == PASSES_ALLOWED;
    return passed && game->meeting && facing(game, pos) ? DRAW : NOBODY;
}

static int by_moves(const Tables *game, Position *pos, const Replies *replies) {
    (void)replies;
    int most = numbers_of(game, RULE_MOVE_LIMIT)[ALLOWED];
    return pos->line[pos->past].idle >= most ? DRAW : NOBODY;
}

static int by_countdown(const Tables *game, Position *pos, const Replies *replies) {
    (void)game, (void)replies;
    const Ply *last = pos->line + pos->past;
    return last->counted > last->limit ? DRAW : NOBODY;
}

/* Enter the last position of the line, at a place, where those like it are looked for. */
static inline void enter_visit(const Position *pos, int place) {
    Ply *made = pos->line + place;
    int32_t *last = pos->visits + (made->board & VISITS);
    made->earlier = *last;
    *last = place + 1;
}

/* Take it out there. */
static inline void leave_visit(const Position *pos, int place) {
    const Ply *made = pos->line + place;
    pos->visits[made->board & VISITS] = (int32_t)made->earlier;
}

/* The place of a line before another one where the same may stand on the board, below 0 for none. */
static inline int before(const Ply *line, int place) {
    return (int)line[place].earlier - 1;
}

/* The first place of a line where the position of another one may have stood. */
static int earliest_again(const Ply *line, int place) {
    return place > line[place].fresh ? place - line[place].fresh : 0;
}

/* How many positions of the line before a place are the one there; the last and the first of them. */
static int times_stood(const Position *pos, int place, int *last, int *first) {
    int count = 0;
    const Ply *line = pos->line;
    int farthest = earliest_again(line, place);
    for (int n = before(line, place); n >= farthest; n = before(line, n)) {
        if (line[n].key == line[place].key) {
            *first = n;
            *last = count ? *last : n;
            count++;
        }
    }
    return count;
}

/* Whether each move of a side after a place of the line gave check; it made one at least. */
static int checks_since(const Position *pos, int since, int side) {
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
static int perpetual(int sides, int value) {
    return sides == 3 || value == PERPETUAL_CHECK_DRAW ? DRAW : sides == 1;
}

/* Result and reason of a repetition: four times the reason, and the side that has won. */
static int repetition(const Tables *game, Position *pos, const Replies *replies) {
    const int32_t *rule = numbers_of(game, RULE_REPETITION);
    int last = 0, first = 0;
    int count = times_stood(pos, pos->past, &last, &first);
    // What a line comes back to is as good as repeated.
    int soon = pos->root && last + 1 >= pos->root;
    if (!count || !(soon || count + 1 >= rule[TIMES])) {
        return 0;
    }
    int whole = game->rules[RULE_PERPETUAL_SPAN] == PERPETUAL_SPAN_FIRST;
    int since = whole && count + 1 >= rule[TIMES] ? first : last;
    int value = game->rules[RULE_PERPETUAL_CHECK];
    int sides = value ? checks_since(pos, since, 0) + 2 * checks_since(pos, since, 1) : 0;
    if (sides) {
        int by = sides == 3 ? BY_REPETITION : BY_PERPETUAL_CHECK;
        return WINNERS * by + perpetual(sides, value);
    }
    value = game->rules[RULE_PERPETUAL_CHASE];
    sides = value && !game->roaming ? chasing_since(game, pos, since, replies->free) : 0;
    if (sides) {
        int by = sides == 3 ? BY_REPETITION : BY_PERPETUAL_CHASE;
        return WINNERS * by + perpetual(sides, value);
    }
    if (game->rules[RULE_PERPETUAL_ATTACK] && attacking_since(game, pos, since, replies->free)) {
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
    int (*ask)(const Tables *game, Position *pos, const Replies *replies);
} ENDINGS[] = {
    {BY_CAPTURE, 1, -1, by_capture},
    {BY_EXTINCTION, 1, RULE_EXTINCTION, by_extinction},
    {BY_MATE, 0, -1, by_mate},
    {BY_GOAL, 0, RULE_GOAL, by_goal},
    {BY_CHECKS, 0, -1, by_checks},
    {BY_BARE, 1, -1, by_bare},
    {BY_STALEMATE, 0, -1, by_stalemate},
    {BY_MATERIAL, 1, RULE_INSUFFICIENT, by_material},
    {BY_PASSES, 0, RULE_PASSES, by_passes},
    {BY_FACING, 0, RULE_FACING, by_facing},
    {BY_MOVES, 0, RULE_MOVE_LIMIT, by_moves},
    {BY_COUNTDOWN, 0, RULE_COUNTDOWN, by_countdown},
};

static int is_asked(const Tables *game, const Position *pos, const struct Ending *ending) {
    return !(pos->plays_on && CLAIMED >> ending->reason & 1) && (ending->rule < 0 || game->rules[ending->rule]);
}

static int result(const Tables *game, Position *pos, int reason, int won) {
    return WINNERS * reason + (won == DRAW ? favoured(game, pos) : won);
}

/* How the game has ended by repetition, 0 where it goes on. */
static int repeated(const Tables *game, Position *pos, const Replies *replies) {
    const Ply *last = pos->line + pos->past;
    if (!game->rules[RULE_REPETITION] || pos->plays_on || last->fresh < 2 || !last->earlier) {
        return 0;
    }
    int found = repetition(game, pos, replies);
    return found ? result(game, pos, found >> 2, found & 3) : 0;
}

/* How the game has ended, 0 where it goes on; the key of the position must be settled. What is `quick`
   need not be asked again where that is known to be nothing. */
static int result_of(const Tables *game, Position *pos, const Replies *replies, int known) {
    for (size_t n = 0; n < sizeof ENDINGS / sizeof *ENDINGS; n++) {
        const struct Ending *ending = ENDINGS + n;
        int asked = !(known && ending->quick) && is_asked(game, pos, ending);
        int won = asked ? ending->ask(game, pos, replies) : NOBODY;
        if (won != NOBODY) {
            return result(game, pos, ending->reason, won);
        }
    }
    return known ? 0 : repeated(game, pos, replies);
}

/* The same as far as it is known without the legal moves; `at` is free room in the list. */
static int quick_result(const Tables *game, Position *pos, int at) {
    Replies unknown = {1, -1, at};
    for (size_t n = 0; n < sizeof ENDINGS / sizeof *ENDINGS; n++) {
        const struct Ending *ending = ENDINGS + n;
        int asked = ending->quick && is_asked(game, pos, ending);
        int won = asked ? ending->ask(game, pos, &unknown) : NOBODY;
        if (won != NOBODY) {
            int mated = ending->reason > BY_MATE && is_in_check(game, pos, pos->side);
            return mated ? 0 : result(game, pos, ending->reason, won);
        }
    }
    return pos->trail || pos->exchanged ? 0 : repeated(game, pos, &unknown);
}

/* Whether a capture en passant is legal. */
static int is_met(const Tables *game, Position *pos, const Replies *replies) {
    if (!pos->trail) {
        return 0;
    }
    int m = replies->first < 0 ? replies->free : replies->first;
    int end = replies->first < 0 ? generate_unordered(game, pos, replies->free) : replies->free;
    int met = 0;
    for (; m < end && !met; m++) {
        for (int x = 0, end_x = captures(game, pos, m); x < end_x; x++) {
            int q = captured(game, pos, m, x);
            met = met || (q == pos->victim && q != pos->moves[m].target);
        }
    }
    return met;
}

/* Have the key of the last position tell which captures are legal or not for what was just moved. */
static void settle_key(const Tables *game, Position *pos, const Replies *replies) {
    if (!pos->trail && !pos->exchanged) {
        return;
    }
    Ply *last = pos->line + pos->past;
    uint64_t passing = is_met(game, pos, replies) ? trail_key(game, pos) : 0;
    last->key = (last->board + last->rights + passing + exchange_key(game, pos)) & MASK;
}

/* In how many moves of both sides a side must be mated as the pieces are, 0 for no limit. */
static int countdown_for(const Tables *game, const Position *pos, int side) {
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
    const int32_t *rows = numbers_of(game, RULE_COUNTDOWN);
    for (int n = 0; n < rows[0] && pos->counts[1 - side] > 1; n++) {
        const int32_t *row = rows + 1 + n * ROW;
        int against = row[ROW_NUMBER];
        if (row[ROW_KIND]) {
            int kind = row[ROW_KIND] - 1;
            against = count_kind(game, pos, 1 - side, kind) -
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
static void count_down(const Tables *game, const Position *pos, Ply *made, int captures) {
    int side = pos->side;
    int from_pieces = game->rules[RULE_COUNTDOWN_FROM] == COUNTDOWN_FROM_PIECES;
    int before = from_pieces ? 2 * (pos->counts[0] + pos->counts[1]) : 0;
    int alone = pos->counts[side] == 1;
    int begins = (captures && alone) || !made->limit;
    int moves = begins ? countdown_for(game, pos, side) : 0;
    if (moves) {
        made->limit = moves;
        made->counted = alone ? before : 0;
        return;
    }
    if (from_pieces && captures && pos->counts[1 - side] == 1 && !made->limit) {
        made->limit = countdown_for(game, pos, 1 - side);
        made->counted = made->limit && before > 1 ? before - 1 : 0;
        return;
    }
    made->counted = made->limit ? made->counted + 1 : 0;
}

/* Note what checks the move just made gives. */
static void note_check(const Tables *game, Position *pos, Ply *made) {
    int side = 1 - pos->side;
    made->check = game->minding_checks && !made->won && is_in_check(game, pos, pos->side);
    made->mating = !(made->check && game->varied_mates && only_checked_by(game, pos, 0));
    if (made->check && game->checks_to_win) {
        made->given[side]++;
    }
}

/* The part of a key that checks given are. */
static uint64_t given_key(const Tables *game, const Ply *made) {
    int counts = game->checks_to_win && (made->given[0] || made->given[1]);
    return counts ? scattered(GIVEN, made->given[0], made->given[1]) : 0;
}

/* Enter the pieces on the board, and begin a line with the position as it is. */
void begin_line(const Tables *game, Position *pos) {
    Ply *made = pos->line;
    enter_pieces(game, pos);
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
    begin_walks(pos);
    pos->past = 0;
    made->rights = all_rights(game, pos) + given_key(game, made);
    made->board = key_of(game, pos);
    made->key = (made->board + made->rights) & MASK;
    enter_visit(pos, 0);
}

void go_on(const Tables *game, Position *pos, int m) {
    const Ply *last = pos->line + pos->past;
    Ply *made = pos->line + pos->past + 1;
    const Move *move = pos->moves + m;
    if (pos->past >= pos->last_past || lacks_room(game, pos)) {
        give_up(game, ENDLESS);
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
    uint64_t key = changing ? 0 : key_before(game, pos, last->board, move, m);
    make(game, pos, m);
    pos->past++;
    int captures = noted_last(pos)[0];
    made->board = changing ? key_of(game, pos) : key_after(game, pos, key, &made->move);
    note_check(game, pos, made);
    if (righted || (captures && last->rights) || made->given[0] != last->given[0] ||
        made->given[1] != last->given[1]) {
        made->rights = all_rights(game, pos) + given_key(game, made);
    }
    made->key = (made->board + made->rights) & MASK;
    made->fresh = captures && game->vanishing ? 0 : last->fresh + 1;
    int gets_on = captures || drops || (game->progress && game->progress[piece]);
    made->idle = gets_on && !made->passed ? 0 : last->idle + 1;
    if (game->rules[RULE_COUNTDOWN]) {
        count_down(game, pos, made, captures);
    }
    enter_visit(pos, pos->past);
}

/* Take back the last move of the line, which stands in the list. */
static void take_back_at(const Tables *game, Position *pos, int m) {
    int made = !pos->unmade;
    unmake(game, pos, m);
    if (made) {
        leave_visit(pos, pos->past);
        pos->past--;
    }
}

void go_back(const Tables *game, Position *pos) {
    pos->moves[0] = pos->line[pos->past].move;
    take_back_at(game, pos, 0);
}

/* How often the same stood on the board before. */
static int times_before(const Position *pos) {
    int count = 0;
    const Ply *line = pos->line;
    int farthest = earliest_again(line, pos->past);
    for (int n = before(line, pos->past); n >= farthest; n = before(line, n)) {
        count += line[n].board == line[pos->past].board;
    }
    return count;
}
