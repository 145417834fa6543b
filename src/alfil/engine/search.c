/* The search for the best move: alpha-beta.

   Nothing here knows a game: what pieces are worth and how games end stands in `Search`, which
   src/alfil/play/opponent.py lays out. Lines of moves begin behind the positions of the game
   before. An entry for a position that has been searched is two numbers, its key, and

       move << 30 | score + 2^20 << 9 | depth << 2 | bound */

/* Who has no move wins with fewer pieces, or with more; goals count after a turn, or the second
   side may draw yet. */
enum { FEWER_WIN = 2, MORE_WIN };
enum { NEXT_TURN = 1, LAST_REPLY };
/* What repetitions mean. */
enum { DRAWN = 1, FIRST_LOSES, REPEATER_LOSES };
/* Who has won where the game would be a draw, in `odds`: the side with more points, for one. */
enum { FIRST_WINS = 1, SECOND_WINS, POINTS };
enum { MATE = 1000000, SURE = 990000 };
/* So far a line is followed, captures included; so far back a position is looked for in it. */
enum { LONGEST = 90, BACK = 16 };
enum { UPPER = 1, EXACT, LOWER };
enum { UNTOLD = 2000000 };
/* What a position may yet bring for each move of depth; killers are kept as numbers below this. */
enum { SLACK = 250, SHORT = 1000000007 };
/* Who has fewer moves than this may be glad of a pass. */
enum { MANY = 8 };
/* So many moves that are listed for their walls are as much work as a position. */
enum { LISTED = 16 };
/* In a word of dead material: a piece that never mates alone, and the sets that it is bound to. */
enum { HELPLESS = 1, BOUND = 1 };
/* Ratings of moves: the one known to be good, what gains, what refuted other moves. */
enum { KNOWN = 1000000000, GAINING = 50000000, REFUTING = 20000000 };
#define MASK UINT64_C(4611686018427387903)

static int seek(const Tables *game, Position *pos, Search *search, int at, int depth, int alpha,
                int beta, int n, int passing);

/* A number of 62 bits that looks like chance, for each number. */
static uint64_t scatter(uint64_t number) {
    number = (number * UINT64_C(4417276706812531889)) & MASK;
    number ^= number >> 31;
    number = (number * UINT64_C(2685821657736338717)) & MASK;
    return number ^ (number >> 29);
}

/* What stands on a square, as part of a key. */
static uint64_t standing(const Tables *game, Position *pos, int square) {
    int piece = pos->board[square];
    if (!piece) {
        return 0;
    }
    int made = pos->made[square];
    if (made == DROPPED) {
        made = 0;
    }
    int64_t number = (int64_t)(piece * game->size + square) * 2048;
    if (made >= 0 && made < game->remembered[piece]) {
        number += made + 1;
    }
    return scatter(number);
}

/* One piece in hand, as part of a key. */
static uint64_t held(int side, int kind) {
    return scatter((uint64_t)(-1 - side - 2 * kind) & MASK);
}

/* Which turns come next where moves depend on that, as part of a key. */
static uint64_t phase(const Tables *game, const Position *pos) {
    return game->round > 1 ? scatter(pos->number % (2 * (int64_t)game->round)) : 0;
}

/* A key of what stands on the board and is in hand, and of the side to move. */
int64_t key_of(const Tables *game, Position *pos) {
    uint64_t key = pos->side + phase(game, pos);
    for (int side = 0; side < 2; side++) {
        for (int x = 0, end_x = pos->counts[side]; x < end_x; x++) {
            key += standing(game, pos, pos->lists[side * game->size + x]);
        }
        for (int kind = 0; kind < game->kinds; kind++) {
            key += pos->hands[side * game->kinds + kind] * held(side, kind);
        }
    }
    for (int x = 1; game->holding && x < pos->holds[0]; x += 2) {
        key += scatter(((uint64_t)pos->holds[x] << 40) + ((uint64_t)pos->holds[x + 1] << 28) + 1);
    }
    for (int x = 0, end_x = game->effects ? game->size : 0; x < end_x; x++) {
        if (pos->board[x] == game->pieces) {
            key += scatter((uint64_t)(game->pieces * game->size + x) << 11);
        }
    }
    return key & MASK;
}

/* What the mover's pieces are worth more than the other side's. */
static int ahead(const Tables *game, Position *pos, Search *search) {
    int total = 0;
    for (int side = 0; side < 2; side++) {
        for (int x = 0, end_x = pos->counts[side]; x < end_x; x++) {
            int s = pos->lists[side * game->size + x];
            total += search->worth[pos->board[s] * game->size + s];
        }
        for (int kind = 0; kind < game->kinds; kind++) {
            total += pos->hands[side * game->kinds + kind] * search->in_hand[kind];
        }
        total = -total;
    }
    return pos->side ? -total : total;
}

/* What the mover gains where a square is captured on. */
static int prize(const Tables *game, Position *pos, Search *search, int square) {
    int piece = pos->board[square];
    if (!piece) {
        return 0;
    }
    int worth = search->worth[piece * game->size + square];
    if (((piece - 1) & 1) == pos->side) {
        worth = -worth;
    }
    if (game->held[piece]) {
        worth += search->in_hand[game->held[piece] - 1];
    }
    return worth;
}

/* What a move gains at once. */
static int gain_of(const Tables *game, Position *pos, Search *search, int m) {
    int size = game->size;
    int origin = pos->moves[m].origin;
    int gain = search->worth[pos->moves[m].becomes * size + pos->moves[m].target];
    if (origin == size) {
        return gain - search->in_hand[pos->moves[m].node];
    }
    gain -= search->worth[pos->board[origin] * size + origin];
    for (int x = 0, end_x = captures(game, pos, m); x < end_x; x++) {
        int q = captured(game, pos, m, x);
        if (q < size) {
            gain += prize(game, pos, search, q);
        }
    }
    if (pos->moves[m].partner) {
        int rook = (pos->moves[m].partner - 1) >> 11;
        const int32_t *worth = search->worth + pos->board[rook] * size;
        gain += worth[(pos->moves[m].partner - 1) & SQUARE] - worth[rook];
    }
    return gain;
}

/* What a move gains at once, with what it changes besides. */
static int brings(const Tables *game, Position *pos, Search *search, int m) {
    if (!(pos->moves[m].flags & CHANGING) || game->walling) {
        return gain_of(game, pos, search, m);
    }
    int before = ahead(game, pos, search);
    make(game, pos, m);
    int after = -ahead(game, pos, search);
    unmake(game, pos, m);
    return after - before;
}

/* What a capture on a square changes in the key. */
static uint64_t lost(const Tables *game, Position *pos, int square) {
    int piece = pos->board[square];
    if (!piece) {
        return 0;
    }
    uint64_t change = -standing(game, pos, square);
    if (game->held[piece]) {
        change += held(pos->side, game->held[piece] - 1);
    }
    return change;
}

/* Make a move, and note what the mover is ahead, and the key, in the line behind it. */
static void play(const Tables *game, Position *pos, Search *search, int m, int n) {
    int size = game->size;
    int side = pos->side;
    int origin = pos->moves[m].origin;
    if (pos->moves[m].flags & CHANGING) {
        make(game, pos, m);
        search->ahead[n + 1] = ahead(game, pos, search);
        search->keys[n + 1] = key_of(game, pos);
        return;
    }
    uint64_t key = search->keys[n] + 1 - 2 * side - phase(game, pos);
    search->ahead[n + 1] = -search->ahead[n] - gain_of(game, pos, search, m);
    int stop = size;
    if (origin == size) {
        key -= held(side, pos->moves[m].node);
    } else {
        for (int x = 0, end_x = captures(game, pos, m); x < end_x; x++) {
            int q = captured(game, pos, m, x);
            if (q < size) {
                key += lost(game, pos, q);
            }
        }
        key -= standing(game, pos, origin);
        if (pos->moves[m].partner) {
            key -= standing(game, pos, (pos->moves[m].partner - 1) >> 11);
            stop = (pos->moves[m].partner - 1) & SQUARE;
        }
    }
    make(game, pos, m);
    key += standing(game, pos, pos->moves[m].target) + phase(game, pos);
    if (stop != size) {
        key += standing(game, pos, stop);
    }
    search->keys[n + 1] = key & MASK;
}

/* A move as one number, not 0. */
static uint64_t code_of(Position *pos, int m) {
    return ((uint64_t)pos->moves[m].becomes * 2048 + pos->moves[m].origin) * 2048 +
           pos->moves[m].target;
}

/* How far back in the line the same position stands, 0 for nowhere near. */
static int repeats_line(Search *search, int n) {
    int back = 4;
    while (back <= BACK && back <= n) {
        if (search->keys[n - back] == search->keys[n]) {
            return back;
        }
        back += 2;
    }
    return 0;
}

/* The points of a side, on the board and in hand. */
static int points_of(const Tables *game, const Position *pos, const Search *search, int side) {
    int total = side ? search->second_odds : search->first_odds;
    for (int x = 0; x < pos->counts[side]; x++) {
        total += search->points[pos->board[pos->lists[side * game->size + x]]];
    }
    for (int kind = 0; kind < game->kinds; kind++) {
        total += pos->hands[side * game->kinds + kind] * search->points[1 + 2 * kind + side];
    }
    return total;
}

/* What a draw is worth to the mover: nothing, unless one side has won then. */
static int drawn(const Tables *game, const Position *pos, const Search *search) {
    int lead = search->odds == FIRST_WINS ? 1 : search->odds == SECOND_WINS ? -1 : 0;
    if (search->odds == POINTS) {
        lead = points_of(game, pos, search, 0) - points_of(game, pos, search, 1);
    }
    int won = (lead > 0) - (lead < 0);
    return (pos->side ? -won : won) * (SURE / 2);
}

/* What it is worth to the side that has just moved, to place `n` of the line, that it has won. */
static int ending(const Tables *game, const Position *pos, const Search *search, int won, int n) {
    return won == DRAW ? -drawn(game, pos, search) : won * (MATE - n + search->past);
}

/* What a position is worth that has stood so far back in the line. */
static int on_repetition(const Tables *game, Position *pos, Search *search, int n, int back) {
    int mine = 1;
    int theirs = 1;
    for (int x = 0; x < back / 2; x++) {
        mine = mine && search->checked[n - 2 - 2 * x];
        theirs = theirs && search->checked[n - 1 - 2 * x];
    }
    if (search->perpetual && (mine || theirs)) {
        if (search->perpetual == 1 || (mine && theirs)) {
            return drawn(game, pos, search);
        }
        return mine ? SURE / 2 : -SURE / 2;
    }
    if (search->repeated == FIRST_LOSES) {
        return pos->side ? SURE / 2 : -SURE / 2;
    }
    if (search->repeated == REPEATER_LOSES) {
        return SURE / 2;
    }
    return drawn(game, pos, search);
}

/* Whether nobody can be mated any more, by the material, as src/alfil/play/material.py says. */
int64_t is_dead(const Tables *game, Position *pos, Search *search) {
    const int32_t *dead = search->dead;
    int size = game->size;
    int royals[2] = {0, 0};
    int pair = game->pieces;
    for (int side = 0; side < 2; side++) {
        for (int x = 0; x < pos->counts[side]; x++) {
            int piece = pos->board[pos->lists[side * size + x]];
            if (!dead[piece]) {
                return 0;
            }
            if (game->royal[piece]) {
                royals[side]++;
                pair += ((piece - 1) >> 1) * (side ? 1 : game->kinds);
            }
        }
    }
    if (royals[0] != 1 || royals[1] != 1 || !dead[pair]) {
        return 0;
    }
    const int32_t *castles = dead + dead[pair];
    const int32_t *held = castles + 2;
    const int32_t *placed = held + game->pieces;
    int count = 0, alone = 0, bound = 0, free = 0;
    for (int side = 0; side < 2; side++) {
        for (int x = 0; x < pos->counts[side]; x++) {
            int s = pos->lists[side * size + x];
            int piece = pos->board[s];
            if (game->royal[piece]) {
                free = free || (castles[side] && !pos->made[s]);
                continue;
            }
            alone = placed[piece * size + s];
            if (!alone) {
                return 0;
            }
            free = free || !(alone >> BOUND);
            count++;
            bound |= alone >> BOUND;
        }
        for (int kind = 0; kind < game->kinds; kind++) {
            if (pos->hands[side * game->kinds + kind]) {
                alone = held[1 + 2 * kind + side];
                if (!alone) {
                    return 0;
                }
                count += pos->hands[side * game->kinds + kind];
                free = 1;
            }
        }
    }
    if (!count || (count == 1 && alone & HELPLESS)) {
        return 1;
    }
    return free ? 0 : placed[game->pieces * size + bound];
}

/* What the move just made, to place `n` of the line, ends by itself other than by mate.

   For its side: 1 if it wins, -1 if it loses, `DRAW`, 0 where the game goes on. */
static int ended(const Tables *game, Position *pos, Search *search, int n, int becomes) {
    int side = pos->side;
    if (game->extinction) {
        int found = extinct(game, pos);
        if (found) {
            return found == DRAW ? found : -found;
        }
    }
    if (search->checks_win) {
        int given = search->given[n - 2] + in_danger(game, pos, side);
        search->given[n] = given;
        if (given >= search->checks_win) {
            return 1;
        }
    }
    if (search->goals && !search->late_goals && search->goals[becomes * game->size + pos->victim]) {
        if (!(game->royal[becomes] && in_danger(game, pos, 1 - side))) {
            return 1;
        }
    }
    if (search->bare) {
        int others =
            pos->counts[side] - royals_of(game, pos, side, ANY) - royals_of(game, pos, side, LAST);
        for (int kind = 0; kind < game->kinds; kind++) {
            others += pos->hands[side * game->kinds + kind];
        }
        return !others;
    }
    return search->dead && is_dead(game, pos, search) ? DRAW : 0;
}

/* Whether a piece of a side stands on its goal. */
static int is_there(const Tables *game, Position *pos, Search *search, int side) {
    for (int j = 0, end_j = pos->counts[side]; j < end_j; j++) {
        int s = pos->lists[side * game->size + j];
        if (search->goals[pos->board[s] * game->size + s]) {
            return 1;
        }
    }
    return 0;
}

/* What goals that count late mean for the side to move, whose moves are listed.

   Its own was reached before and has not been taken. With `LAST_REPLY` the second side may yet
   draw by its next move. */
static int at_goals(const Tables *game, Position *pos, Search *search, int at, int end) {
    if (!search->late_goals) {
        return 0;
    }
    int side = pos->side;
    int theirs = is_there(game, pos, search, 1 - side);
    if (is_there(game, pos, search, side)) {
        return (theirs && search->late_goals == LAST_REPLY) ? DRAW : 1;
    }
    if (!theirs || search->late_goals != LAST_REPLY) {
        return 0;
    }
    int m = at;
    while (side && m < end) {
        if (search->goals[pos->moves[m].becomes * game->size + pos->moves[m].target]) {
            return 0;
        }
        m++;
    }
    return -1;
}

/* What it means for the side to move that it has no move, and is not mated. */
static int without_moves(const Tables *game, Position *pos, Search *search) {
    if (search->stuck < FEWER_WIN) {
        return search->stuck;
    }
    int mine = count_all(game, pos, pos->side);
    int theirs = count_all(game, pos, 1 - pos->side);
    if (mine == theirs) {
        return 0;
    }
    return (mine < theirs) == (search->stuck == FEWER_WIN) ? 1 : -1;
}

/* Whether the piece that a move brings attacks the other royal from where it arrives. */
static int gives_check(const Tables *game, Position *pos, int m) {
    int k = pos->royals[1 - pos->side];
    int q = pos->moves[m].target;
    if (pos->careful) {
        return 0;
    }
    int a = aims_of(game, pos->moves[m].becomes, q, k);
    if (!a) {
        return 0;
    }
    return hits(game, pos, a, q, k);
}

/* Whether the enemy could capture back where a move arrives. */
static int is_guarded(const Tables *game, Position *pos, int m) {
    int origin = pos->moves[m].origin;
    int q = pos->moves[m].target;
    int was = pos->shift[origin];
    int stood = pos->shift[q];
    pos->shift[origin] = VACANT;
    pos->shift[q] = game->shift[pos->moves[m].becomes];
    int found = is_open(game, pos, q, 1 - pos->side, 0);
    pos->shift[q] = stood;
    pos->shift[origin] = was;
    return found;
}

/* How likely a move is the best one: the known one, then what gains, then what refuted. */
static int rate(const Tables *game, Position *pos, Search *search, int m, int n, uint64_t known) {
    uint64_t code = code_of(pos, m);
    if (code == known) {
        return KNOWN;
    }
    int size = game->size;
    int origin = pos->moves[m].origin;
    int gain = brings(game, pos, search, m);
    int place = pos->moves[m].becomes * size + pos->moves[m].target;
    if (origin != size) {
        int sharp = pos->board[origin] != pos->moves[m].becomes ? 1 : 0;
        for (int x = 0, end_x = captures(game, pos, m); x < end_x; x++) {
            int q = captured(game, pos, m, x);
            if (q < size && pos->board[q]) {
                sharp = 1;
            }
        }
        if (sharp) {
            int own = search->worth[place];
            if (gain < own && is_guarded(game, pos, m)) {
                return gain - own;
            }
            return GAINING + 16 * gain - own;
        }
    }
    int32_t *killers = search->killers + 2 * n;
    int quiet = (int)(code % SHORT);
    if (killers[0] == quiet || killers[1] == quiet) {
        return REFUTING;
    }
    return search->good[place] + gain + 65536;
}

/* Bring the move with the best rating of those left to `m`; the rating. */
static int pick(Position *pos, Search *search, int m, int end) {
    int32_t *at = search->rated + m;
    int count = end - m;
    int best = 0;
    for (int x = 0; x < count; x++) {
        if (at[x] > at[best]) {
            best = x;
        }
    }
    int rating = at[best];
    if (best) {
        at[best] = at[0];
        at[0] = rating;
        swap_moves(pos, m, m + best);
    }
    return rating;
}

/* List `ALL` legal moves in no order, or `ONLY_GAINS`; `danger` must have been asked last. */
static int listed(const Tables *game, Position *pos, int at, int which) {
    show_trail(game, pos, PASSED);
    int32_t *first = pos->lists + pos->side * game->size;
    int start = at;
    for (int j = 0, end_j = movers(game, pos); j < end_j; j++) {
        int s = first[j];
        int mode = mode_of(game, pos, s);
        at = list_piece(game, pos, at, s, mode, which);
    }
    show_trail(game, pos, VACANT);
    if (which == ONLY_GAINS) {
        return game->take_first ? only_captures(game, pos, start, at) : at;
    }
    int end = list_drops(game, pos, at);
    end = without_mates(game, pos, at, end);
    return sifted(game, pos, start, end);
}

/* Rate the moves of a list. */
static void rate_all(const Tables *game, Position *pos, Search *search, int at, int end, int n,
                     uint64_t known) {
    int m = at;
    while (m < end) {
        search->rated[m] = rate(game, pos, search, m, n, known);
        m++;
    }
}

/* The worth of a position when nothing more is to be gained at once; checks are answered. */
static int calm(const Tables *game, Position *pos, Search *search, int at, int depth, int alpha,
                int beta, int n) {
    int end = 0;
    int score = 0;
    search->visited++;
    int best = search->ahead[n] + search->tempo;
    danger(game, pos);
    int checked = pos->checks;
    if (n - search->past >= LONGEST || (checked && depth < -3)) {
        return best;
    }
    if (checked) {
        end = listed(game, pos, at, ALL);
        if (end == at) {
            int won = search->mated * (MATE - n + search->past);
            return won ? won : drawn(game, pos, search);
        }
        best = -MATE;
    } else {
        if (best >= beta && !game->take_first) {
            return best;
        }
        end = listed(game, pos, at, ONLY_GAINS);
        if (game->take_first && depth >= -3 && end > at && is_capture(game, pos, at)) {
            // A capture must be made.
            checked = 1;
            best = -MATE;
        }
    }
    rate_all(game, pos, search, at, end, n, 0);
    int m = at;
    uint64_t last = 0;
    while (m < end && best < beta) {
        int rating = pick(pos, search, m, end);
        if (pos->moves[m].flags >> EXTRA && code_of(pos, m) == last) {
            // One wall is as good as another while captures are looked at.
            m++;
            continue;
        }
        last = code_of(pos, m);
        if (depth < -3 && !checked && pos->moves[m].target != pos->victim) {
            m++;
            continue;
        }
        if (!checked &&
            (rating < GAINING / 2 || best + brings(game, pos, search, m) + 200 < alpha)) {
            break;
        }
        if (best > alpha) {
            alpha = best;
        }
        int won = pos->careful ? fate(game, pos, m) : 0;
        play(game, pos, search, m, n);
        if (!won) {
            won = ended(game, pos, search, n + 1, pos->moves[m].becomes);
        }
        if (won) {
            score = ending(game, pos, search, won, n + 1);
        } else {
            score = -calm(game, pos, search, end, depth - 1, -beta, -alpha, n + 1);
        }
        unmake(game, pos, m);
        if (score > best) {
            best = score;
        }
        m++;
    }
    return best;
}

/* What the mover still has if it does not move; no game allows that, nearly. */
static int unmoved(const Tables *game, Position *pos, Search *search, int at, int depth, int beta,
                   int n) {
    int trail = pos->trail;
    int victim = pos->victim;
    int side = pos->side;
    pos->trail = 0;
    pos->side = 1 - side;
    uint64_t before = phase(game, pos);
    pos->number++;
    search->keys[n + 1] = (search->keys[n] + 1 - 2 * side + phase(game, pos) - before) & MASK;
    search->ahead[n + 1] = -search->ahead[n];
    search->given[n + 1] = search->given[n - 1];
    int score = -seek(game, pos, search, at, depth, -beta, 1 - beta, n + 1, 0);
    pos->side = side;
    pos->number--;
    pos->trail = trail;
    pos->victim = victim;
    return score;
}

/* The key of a position, with all that tells it from others with the same pieces. */
static uint64_t whole_key(Position *pos, Search *search, int n) {
    uint64_t key = search->keys[n];
    if (pos->trail) {
        key += scatter(pos->trail);
    }
    if (search->checks_win) {
        key += scatter(search->given[n] * 64 + search->given[n - 1]);
    }
    return key & MASK;
}

/* The score that an entry tells, `UNTOLD` where it was not searched deep enough for that. */
static int told(const uint64_t *entry, int depth, int alpha, int beta, int ply) {
    uint64_t word = entry[1];
    int score = (int)((word >> 9) & 2097151) - 1048576;
    if (score > SURE) {
        score -= ply;
    } else if (score < -SURE) {
        score += ply;
    }
    int bound = (int)(word & 3);
    if ((int)((word >> 2) & 127) < depth || (bound == LOWER && score < beta)) {
        return UNTOLD;
    }
    return (bound == UPPER && score > alpha) ? UNTOLD : score;
}

/* Write an entry; mates are counted from its own position. */
static void keep(Search *search, uint64_t key, uint64_t move, int score, int depth, int bound,
                 int ply) {
    if (score > SURE) {
        score += ply;
    } else if (score < -SURE) {
        score -= ply;
    }
    uint64_t *entry = search->entries + 2 * (key & search->last_entry);
    entry[0] = key;
    entry[1] = (move << 30) | ((score + 1048576) << 9) | (depth << 2) | bound;
}

/* Note that a quiet move refuted the last one. */
static void remember(const Tables *game, Position *pos, Search *search, int m, int n, int depth) {
    int code = (int)(code_of(pos, m) % SHORT);
    int32_t *killers = search->killers + 2 * n;
    if (killers[0] != code) {
        killers[1] = killers[0];
        killers[0] = code;
    }
    int32_t *at = search->good + pos->moves[m].becomes * game->size + pos->moves[m].target;
    int weight = depth < 40 ? depth * depth : 1600;
    at[0] += weight * 16 - at[0] * weight / 4096;
}

/* By how much less deep a move is looked at that comes late in the list; drops most of all. */
static int late(int depth, int count, int rating, int dropped) {
    if (depth < 3 - dropped || count < 3 || rating >= REFUTING) {
        return 0;
    }
    int less = 1 + (count > 7) + (count > 19) + (depth > 6 && count > 11) + (depth > 10);
    less += dropped && count > 39;
    int most = depth - 3 + 2 * dropped;
    return less < most ? less : most;
}

/* Whether a move is so late in the list, or brings so little, that nobody looks at it. */
static int is_slight(const Tables *game, Position *pos, Search *search, int m, int depth, int count,
                     int lacking) {
    int gain = brings(game, pos, search, m);
    if (count <= 4 + 3 * depth * depth && gain + SLACK * depth > lacking) {
        return 0;
    }
    return !gives_check(game, pos, m);
}

/* What the move just made, to place `n` of the line, is worth to its side.

   Unless `less` is below zero it is asked first, that much less deep, whether it is better than
   `alpha` at all. */
static int answered(const Tables *game, Position *pos, Search *search, int at, int depth, int less,
                    int alpha, int beta, int n) {
    if (less >= 0) {
        int down = -alpha - 1;
        int score = -seek(game, pos, search, at, depth - less, down, -alpha, n, 1);
        if (less && score > alpha) {
            score = -seek(game, pos, search, at, depth, down, -alpha, n, 1);
        }
        if (score <= alpha || score >= beta) {
            return score;
        }
    }
    return -seek(game, pos, search, at, depth, -beta, -alpha, n, 1);
}

/* The worth of a position, looking `depth` moves ahead; `passing`: a pass may be tried. */
static int seek(const Tables *game, Position *pos, Search *search, int at, int depth, int alpha,
                int beta, int n, int passing) {
    int less = 0;
    int score = 0;
    int ply = n - search->past;
    if (depth <= 0 || ply >= LONGEST) {
        return calm(game, pos, search, at, 0, alpha, beta, n);
    }
    search->visited++;
    if (search->visited > search->allowed) {
        search->halt = 1;
    }
    if (search->halt) {
        return 0;
    }
    if (ply && search->repeated) {
        int back = repeats_line(search, n);
        if (back) {
            return on_repetition(game, pos, search, n, back);
        }
    }
    uint64_t key = whole_key(pos, search, n);
    uint64_t *entry = search->entries + 2 * (key & search->last_entry);
    uint64_t known = 0;
    if (entry[0] == key) {
        known = entry[1] >> 30;
        score = told(entry, depth, alpha, beta, ply);
        if (ply && score != UNTOLD) {
            return score;
        }
    }
    danger(game, pos);
    int end = listed(game, pos, at, ALL);
    int checked = pos->checks > 0;
    search->checked[n] = checked;
    if (game->walling) {
        // A move for each wall: to list them is the work.
        search->visited += (end - at) / LISTED;
    }
    int reached = at_goals(game, pos, search, at, end);
    if (reached && ply) {
        return reached == DRAW ? drawn(game, pos, search) : reached * (MATE - ply);
    }
    if (end == at) {
        int won = checked ? search->mated : without_moves(game, pos, search);
        return won ? won * (MATE - ply) : drawn(game, pos, search);
    }
    int now = search->ahead[n] + search->tempo;
    // Where it is only asked whether a line is better than another, guesses are good enough.
    int guess = beta - alpha == 1 && !checked && beta < SURE && alpha > -SURE;
    if (guess && ply > 2 && depth <= 3 && now - SLACK * depth >= beta) {
        return now;
    }
    passing = passing && depth >= 2 && end - at > MANY && !game->take_first;
    if (guess && ply > 2 && passing && now >= beta && !game->turning) {
        less = depth - 3 - depth / 5;
        score = unmoved(game, pos, search, end, less, beta, n);
        if (score >= beta && score < SURE && !search->halt) {
            return score;
        }
    }
    rate_all(game, pos, search, at, end, n, known);
    int best = -MATE;
    int bound = UPPER;
    int deep = depth - 1 + (checked && ply <= search->reached);
    int count = 0;
    int m = at;
    while (m < end && best < beta) {
        int rating = pick(pos, search, m, end);
        if (guess && count && rating < REFUTING && depth <= 4 && best > -SURE) {
            int early = ply < 3 && pos->moves[m].origin != game->size;
            if (!early && is_slight(game, pos, search, m, depth, count, alpha - now)) {
                m++;
                continue;
            }
        }
        less = -1;
        if (count) {
            less = checked ? 0 : late(depth, count, rating, pos->moves[m].origin == game->size);
            if (less && gives_check(game, pos, m)) {
                less = 0;
            }
        }
        int won = pos->careful ? fate(game, pos, m) : 0;
        play(game, pos, search, m, n);
        if (!won) {
            won = ended(game, pos, search, n + 1, pos->moves[m].becomes);
        }
        if (won) {
            score = ending(game, pos, search, won, n + 1);
        } else {
            score = answered(game, pos, search, end, deep, less, alpha, beta, n + 1);
        }
        unmake(game, pos, m);
        if (search->halt) {
            return 0;
        }
        count++;
        if (score > best) {
            best = score;
            if (score > alpha) {
                alpha = score;
                bound = EXACT;
                known = code_of(pos, m);
                if (!ply) {
                    pos->moves[0] = pos->moves[m];
                }
            }
        }
        if (score >= beta) {
            bound = LOWER;
            if (rating < GAINING / 2) {
                remember(game, pos, search, m, n, depth);
            }
        }
        m++;
    }
    keep(search, key, known, best, depth, bound, ply);
    return best;
}

/* Look for the best move, first one move ahead, at most `depth`; it stands first in the list.

   It ends with the work that is allowed, or when anybody sets the stop. */
int64_t think(const Tables *game, Position *pos, Search *search, int depth) {
    int n = search->past;
    search->keys[n] = key_of(game, pos);
    search->ahead[n] = ahead(game, pos, search);
    danger(game, pos);
    int end = listed(game, pos, 1, ALL);
    pos->moves[0] = pos->moves[1];
    if (end == 2) {
        depth = 1;
    }
    while (search->reached < depth && !search->halt) {
        int score = seek(game, pos, search, 1, search->reached + 1, -MATE, MATE, n, 0);
        if (!search->halt) {
            search->score = score;
            search->reached++;
            if (score >= MATE - search->reached || -score >= MATE - search->reached) {
                break;
            }
        }
    }
    return search->reached;
}
