/* Sequences of two moves, counted by what each first move changes.

   The first side's moves are listed, and the answers counted once as if nothing had moved. For each
   square it is noted which pieces that answer look at it, and what else depends on it. After a move
   only pieces that look at a square it changed are counted again; where it may change what is legal
   for all of them, or is more than a piece that goes somewhere, everything is. */

/* What happens here may change what is legal; what leaves here may; the royal's moves depend on it.
 */
enum { DECISIVE = 1, OPENING = 2, ROYAL_WAY = 4 };
/* What is minded: moves of the first royal, pieces with a limit on files, drops with such a limit,
   drops that may not mate, a royal that captures en passant. */
enum { FIRST_MOVES = 1, CROWDING = 2, FILLED = 4, NO_MATE = 8, ROYAL_PASSES = 16 };
#define LARGEST INT64_MAX
/* Fewer moves are better counted one by one; more pieces have no bits. */
enum { FEW = 4, MOST = 62 };

/* Give all squares that a walk looks at a note. */
static void note_nodes(const Tables *game, Position *pos, Differences *diff, int i, int end,
                       int note) {
    while (i < end) {
        uint64_t w = game->nodes[i];
        int q = (int)(w & SQUARE);
        diff->notes[q] |= note;
        i = next_node(i, w, w >> pos->shift[q]);
    }
}

/* Note all squares on which it depends whether some pieces could capture a royal. */
static void note_aims(const Tables *game, Position *pos, Differences *diff, int32_t *places,
                      int count, int royal, int note) {
    for (int j = 0; j < count; j++) {
        int s = places[j];
        if (s != royal) {
            int a = aims_of(game, pos->board[s], s, royal);
            if (a) {
                diff->notes[s] |= note;
                for (int b = 0; b < game->pool[a]; b++) {
                    note_nodes(game, pos, diff, game->pool[a + 1 + 2 * b],
                               game->pool[a + 2 + 2 * b], note);
                }
            }
        }
    }
}

/* Note on what it depends whether a move from a square to another one leaves a royal open.

   A drop comes from the number of squares. */
static void note_try(const Tables *game, Position *pos, Differences *diff, int s, int q, int own) {
    int k = pos->royals[pos->side];
    int was = pos->shift[q];
    int there = pos->shift[s];
    pos->shift[s] = VACANT;
    pos->shift[q] = own;
    if (s == k) {
        note_aims(game, pos, diff, pos->beside, pos->besides, q, ROYAL_WAY);
    } else {
        note_aims(game, pos, diff, pos->near, pos->nears, k, DECISIVE);
    }
    pos->shift[q] = was;
    pos->shift[s] = there;
}

/* `note_try` for all that some nodes of a piece make. */
static void note_tries(const Tables *game, Position *pos, Differences *diff, int s, int i,
                       int end) {
    while (i < end) {
        uint64_t w = game->nodes[i];
        int q = (int)(w & SQUARE);
        uint64_t t = w >> pos->shift[q];
        if (s == pos->royals[pos->side]) {
            diff->notes[q] |= ROYAL_WAY;
        }
        if (t & FORMS) {
            note_try(game, pos, diff, s, q, pos->shift[s]);
        }
        i = next_node(i, w, t);
    }
}

/* Note on what it depends whether a royal may castle by one part. */
static void note_castling(const Tables *game, Position *pos, Differences *diff, int k,
                          const Part *part) {
    int rank = k - game->file_of[k];
    for (int file = 0; file < game->files; file++) {
        diff->notes[rank + file] |= ROYAL_WAY;
    }
    int i = part->from;
    while (i < part->until) {
        uint64_t w = game->nodes[i];
        int q = (int)(w & SQUARE);
        uint64_t t = w >> pos->shift[q];
        diff->notes[q] |= ROYAL_WAY;
        int rook = 0;
        if (t & FORMS) {
            rook = partner_of(game, pos, k, q, part);
        }
        if (rook) {
            int by = q > k ? 1 : -1;
            int x = k + by;
            while (x != q) {
                note_try(game, pos, diff, k, x, pos->shift[k]);
                x += by;
            }
            int start = (rook - 1) >> 11;
            int stop = (rook - 1) & SQUARE;
            int own = pos->shift[start];
            int was = pos->shift[stop];
            pos->shift[start] = VACANT;
            pos->shift[stop] = own;
            note_try(game, pos, diff, k, q, pos->shift[k]);
            pos->shift[stop] = was;
            pos->shift[start] = own;
        }
        i = next_node(i, w, t);
    }
}

/* Note on what it depends which moves of a piece are legal. */
static void note_piece(const Tables *game, Position *pos, Differences *diff, int s) {
    Run run = first_run(game, pos, s);
    note_tries(game, pos, diff, s, run.at, run.end);
    while (next_run(game, pos, s, &run)) {
        if (run.part->steps) {
            note_castling(game, pos, diff, s, run.part);
        } else {
            note_tries(game, pos, diff, s, run.at, run.end);
        }
    }
}

/* Note what may open a line to a royal; none of the pieces near goes over others.

   On a line that pins a piece all squares are decisive. */
static void note_lines(const Tables *game, Position *pos, Differences *diff, int k) {
    for (int j = 0, end_j = pos->nears; j < end_j; j++) {
        int s = pos->near[j];
        int a = aims_of(game, pos->board[s], s, k);
        for (int b = 0; b < game->pool[a]; b++) {
            int first = game->pool[a + 1 + 2 * b];
            int end = game->pool[a + 2 + 2 * b];
            int i = first;
            while (i < end) {
                uint64_t w = game->nodes[i];
                int q = (int)(w & SQUARE);
                int was = pos->shift[q];
                diff->notes[q] |= OPENING;
                if (q != k && pos->board[q] && ((pos->board[q] - 1) & 1) == pos->side) {
                    pos->shift[q] = VACANT;
                    note_nodes(game, pos, diff, first, end, OPENING);
                    if (hits(game, pos, a, s, k)) {
                        note_nodes(game, pos, diff, first, end, DECISIVE);
                        diff->notes[s] |= DECISIVE;
                    }
                    pos->shift[q] = was;
                }
                i = next_node(i, w, w >> was);
            }
        }
    }
}

/* How often some nodes make a move; a piece is noted on all squares that they look at. */
static int watch_nodes(const Tables *game, Position *pos, Differences *diff, int i, int end,
                       uint64_t bit) {
    int total = 0;
    while (i < end) {
        uint64_t w = game->nodes[i];
        int q = (int)(w & SQUARE);
        diff->watchers[q] |= bit;
        uint64_t t = w >> pos->shift[q];
        total += (int)(t & FORMS);
        i = next_node(i, w, t);
    }
    return total;
}

/* `watch_nodes` for all nodes of a piece. */
static int watch(const Tables *game, Position *pos, Differences *diff, int s, uint64_t bit) {
    Run run = first_run(game, pos, s);
    int total = watch_nodes(game, pos, diff, run.at, run.end, bit);
    while (next_run(game, pos, s, &run)) {
        total += watch_nodes(game, pos, diff, run.at, run.end, bit);
    }
    return total;
}

/* Whether some nodes look at a square with a note. */
static int looks_nodes(const Tables *game, Position *pos, Differences *diff, int i, int end,
                       int note) {
    while (i < end) {
        uint64_t w = game->nodes[i];
        int q = (int)(w & SQUARE);
        if (diff->notes[q] & note) {
            return 1;
        }
        i = next_node(i, w, w >> pos->shift[q]);
    }
    return 0;
}

/* Whether a piece looks at a square with a note. */
static int looks(const Tables *game, Position *pos, Differences *diff, int s, int note) {
    Run run = first_run(game, pos, s);
    int found = looks_nodes(game, pos, diff, run.at, run.end, note);
    while (!found && next_run(game, pos, s, &run)) {
        found = looks_nodes(game, pos, diff, run.at, run.end, note);
    }
    return found;
}

/* How many legal moves a piece has; without a trail. */
static int count_piece(const Tables *game, Position *pos, int at, int s, int mode) {
    if (mode == FREE && !game->odd[pos->board[s]]) {
        return count_free(game, pos, s);
    }
    return list_piece(game, pos, at, s, mode, ALL) - at;
}

/* The moves of all pieces of the side that answers but its royal. */
static int base_pieces(const Tables *game, Position *pos, Differences *diff, int at) {
    int size = game->size;
    int side = pos->side;
    int k = pos->royals[side];
    int32_t *base = pos->lists + side * size;
    uint64_t hard = 0;
    uint64_t passers = 0;
    int total = 0;
    for (int j = 0, end_j = pos->counts[side]; j < end_j; j++) {
        int s = base[j];
        int p = pos->board[s];
        diff->counted[j] = 0;
        if (s == k) {
            continue;
        }
        uint64_t bit = UINT64_C(1) << j;
        int found = watch(game, pos, diff, s, bit);
        int mode = mode_of(game, pos, s);
        if (mode == TRIED || (mode == TOUCHING && looks(game, pos, diff, s, DECISIVE))) {
            hard |= bit;
            if (pos->hopped) {
                note_piece(game, pos, diff, s);
            }
        }
        if (mode != FREE || game->odd[p]) {
            found = count_piece(game, pos, at, s, mode);
        }
        if (game->passes[p]) {
            passers |= bit;
        }
        diff->counted[j] = found;
        total += found;
    }
    diff->hard = hard;
    diff->passers = passers;
    return total;
}

/* How many drops the side that answers has, those that mate among them. */
static int base_drops(const Tables *game, Position *pos, Differences *diff) {
    int size = game->size;
    int k = pos->royals[1 - pos->side];
    int droppable = game->droppable[pos->side];
    int dropped = 0;
    for (int x = 0; x < game->pool[droppable]; x++) {
        int p = game->pool[droppable + 2 + 2 * x];
        if (in_hand(game, pos, pos->side, x) < 0) {
            continue;
        }
        dropped = p;
        if (game->drop_limit[p]) {
            pos->caution |= FILLED;
        }
        if (game->drop_mate[p]) {
            pos->caution |= NO_MATE | FIRST_MOVES;
        }
        int check = game->drop_check[p];
        if (check != 1) {
            for (int word = 0; word < game->words; word++) {
                uint32_t m = landing(game, pos, p, word);
                while (m) {
                    diff->gains[word * 32 + lowest_bit(m)]++;
                    m &= m - 1;
                }
            }
        }
        if (check) {
            pos->caution |= FIRST_MOVES;
            int sources = sources_of(game, p, k);
            for (int y = 0; y < game->pool[sources]; y++) {
                int q = game->pool[sources + 1 + y];
                if ((landing(game, pos, p, q >> 5) >> (q & 31)) & 1) {
                    int a = aims_of(game, p, q, k);
                    for (int b = 0; b < game->pool[a]; b++) {
                        note_nodes(game, pos, diff, game->pool[a + 1 + 2 * b],
                                   game->pool[a + 2 + 2 * b], DECISIVE);
                    }
                    int hit = hits(game, pos, a, q, k);
                    if (check == 1) {
                        diff->gains[q] += hit;
                    } else {
                        diff->gains[q] -= hit;
                    }
                }
            }
        }
    }
    int total = 0;
    if (dropped) {
        for (int q = 0; q < size; q++) {
            if (diff->gains[q] && !pos->board[q]) {
                if (pos->hopped && pos->marks[q] == pos->stamp) {
                    note_try(game, pos, diff, size, q, game->shift[dropped]);
                    if (exposes(game, pos, size, q, dropped, 0)) {
                        diff->gains[q] = 0;
                    }
                }
                total += diff->gains[q];
            }
        }
    }
    return total;
}

/* The moves of the side to move, which answers, with all notes; -1 where it is not for this.

   That is so in check, and where a piece captures several at once. */
static int base_count(const Tables *game, Position *pos, Differences *diff, int at) {
    int size = game->size;
    int side = pos->side;
    int k = pos->royals[side];
    for (int q = 0; q < size + 1; q++) {
        diff->watchers[q] = 0;
        diff->notes[q] = 0;
        diff->gains[q] = 0;
    }
    if (pos->counts[side] > MOST) {
        return -1;
    }
    for (int j = 0, end_j = pos->counts[side]; j < end_j; j++) {
        if (game->special[pos->board[pos->lists[side * size + j]]]) {
            return -1;
        }
    }
    danger(game, pos);
    if (pos->checks) {
        return -1;
    }
    pos->caution = 0;
    if (game->passes[pos->board[k]]) {
        pos->caution = ROYAL_PASSES;
    }
    if (game->limited) {
        for (int j = 0, end_j = pos->counts[1 - side]; j < end_j; j++) {
            int s = pos->lists[(1 - side) * size + j];
            int p = pos->board[s];
            if (game->crowds[p] && near_of(game, pos, p, s, k) & (AIMED | BESIDE)) {
                pos->caution |= CROWDING;
            }
        }
    }
    if (pos->hopped) {
        for (int q = 0; q < size; q++) {
            if (pos->marks[q] == pos->stamp) {
                diff->notes[q] |= DECISIVE;
            }
        }
    } else {
        note_lines(game, pos, diff, k);
    }
    int total = base_pieces(game, pos, diff, at);
    diff->notes[k] |= ROYAL_WAY;
    note_piece(game, pos, diff, k);
    pos->royal_moves = count_piece(game, pos, at, k, TRIED);
    return total + pos->royal_moves + base_drops(game, pos, diff);
}

/* Whether a piece that arrives on a square attacks a royal, or pins a piece to it, perhaps. */
static int threatens(const Tables *game, Position *pos, int p, int s, int k) {
    if (game->hops[p] || game->crowds[p]) {
        return 1;
    }
    int a = aims_of(game, p, s, k);
    if (hits(game, pos, a, s, k)) {
        return 1;
    }
    for (int b = 0; b < game->pool[a]; b++) {
        int i = game->pool[a + 1 + 2 * b];
        while (i < game->pool[a + 2 + 2 * b]) {
            uint64_t w = game->nodes[i];
            int q = (int)(w & SQUARE);
            int was = pos->shift[q];
            if (was != VACANT && q != k && ((pos->board[q] - 1) & 1) != ((p - 1) & 1)) {
                pos->shift[q] = VACANT;
                int pinned = hits(game, pos, a, s, k);
                pos->shift[q] = was;
                if (pinned) {
                    return 1;
                }
            }
            i = next_node(i, w, w >> was);
        }
    }
    return 0;
}

/* Whether a move on the board changes more than that a piece goes and perhaps takes another. */
static int is_odd(const Tables *game, Position *pos, Differences *diff, int m) {
    int f = pos->moves[m].origin;
    int to = pos->moves[m].target;
    int node = pos->moves[m].node;
    int victim = pos->board[to];
    int caution = pos->caution;
    if (pos->moves[m].partner || pos->moves[m].flags || game->taken[node] || f == to) {
        return 1;
    }
    if (victim && (((victim - 1) & 1) == pos->side || game->limit[victim] ||
                   (game->side_limit && game->side_limit[victim]) ||
                   (caution & FILLED && game->drop_limit[victim]))) {
        return 1;
    }
    if (caution & FIRST_MOVES && f == pos->royals[pos->side]) {
        return 1;
    }
    if (caution & CROWDING && game->limit[pos->board[f]]) {
        return 1;
    }
    int trail = game->trailing[node];
    if (trail) {
        uint64_t seen = diff->watchers[f] | diff->watchers[to];
        for (int x = 0; x < game->pool[trail]; x++) {
            seen |= diff->watchers[game->pool[trail + 1 + x]];
        }
        return caution & ROYAL_PASSES || seen & diff->passers;
    }
    return 0;
}

/* How many drops that may not mate would do so after a move that is not the royal's.

   A piece dropped beside a royal that can take it does not mate where nothing looks at its square.
 */
static int mates_after(const Tables *game, Position *pos, Differences *diff, int m, int at) {
    int f = pos->moves[m].origin;
    int k = pos->royals[pos->side];
    int own = pos->royals[1 - pos->side];
    int droppable = game->droppable[1 - pos->side];
    for (int x = 0; x < game->pool[droppable]; x++) {
        int p = game->pool[droppable + 2 + 2 * x];
        if (!game->drop_mate[p] || in_hand(game, pos, 1 - pos->side, x) < 0) {
            continue;
        }
        int sources = sources_of(game, p, k);
        for (int y = 0; y < game->pool[sources]; y++) {
            int q = game->pool[sources + 1 + y];
            if (q == pos->moves[m].target || (pos->board[q] && q != f)) {
                continue;
            }
            int a = aims_of(game, pos->board[k], k, q);
            int takes_it = a && game->pool[a] == 1 && game->pool[a + 2] == game->pool[a + 1] + 1;
            uint64_t seen = diff->watchers[q] | diff->watchers[k] | diff->watchers[f] |
                            (uint64_t)aims_of(game, pos->board[own], own, q);
            if (game->hopping || seen || !takes_it) {
                make(game, pos, m);
                danger(game, pos);
                int found = mating(game, pos, at);
                unmake(game, pos, m);
                return found;
            }
        }
    }
    return 0;
}

/* How many answers there are to a move, by those before it; -1 where all are to be counted. */
static int answers(const Tables *game, Position *pos, Differences *diff, int m, int at,
                   int before) {
    int j = 0;
    int size = game->size;
    int side = pos->side;
    int k = pos->royals[1 - side];
    int f = pos->moves[m].origin;
    int to = pos->moves[m].target;
    int p = pos->moves[m].becomes;
    int total = before;
    int note = diff->notes[to] & (DECISIVE | ROYAL_WAY);
    uint64_t watchers = diff->watchers[to];
    if (f == size) {
        total -= diff->gains[to];
    } else {
        note |= diff->notes[f];
        watchers |= diff->watchers[f];
        total += diff->gains[f];
        if (note & (DECISIVE | OPENING) || is_odd(game, pos, diff, m)) {
            return -1;
        }
        if (pos->board[to]) {
            j = pos->places[to];
            watchers &= ~(UINT64_C(1) << j);
            total -= diff->counted[j];
        } else {
            total -= diff->gains[to];
        }
    }
    if (note & DECISIVE || watchers & diff->hard || (pos->caution & CROWDING && game->limit[p])) {
        return -1;
    }
    int z = near_of(game, pos, p, to, k);
    if (watchers || z & AIMED) {
        int was = pos->shift[to];
        int left = pos->shift[f];
        pos->shift[f] = VACANT;
        pos->shift[to] = game->shift[p];
        pos->side = 1 - side;
        int clear = 1;
        if (z & AIMED && threatens(game, pos, p, to, k)) {
            clear = 0;
        }
        while (watchers && clear) {
            j = __builtin_ctzll(watchers);
            watchers &= watchers - 1;
            int s = pos->lists[(1 - side) * size + j];
            if (pos->hopped && looks(game, pos, diff, s, DECISIVE)) {
                clear = 0;
            } else {
                int found = count_piece(game, pos, at, s, FREE);
                total += found - diff->counted[j];
            }
        }
        pos->side = side;
        pos->shift[to] = was;
        pos->shift[f] = left;
        if (!clear) {
            return -1;
        }
    }
    if (note & ROYAL_WAY || z & BESIDE) {
        make(game, pos, m);
        danger(game, pos);
        show_trail(game, pos, PASSED);
        total += count_piece(game, pos, at, k, TRIED) - pos->royal_moves;
        show_trail(game, pos, VACANT);
        unmake(game, pos, m);
    }
    if (pos->caution & NO_MATE) {
        total -= mates_after(game, pos, diff, m, at);
    }
    return total;
}

/* The number of sequences of two legal moves. */
static int64_t two(const Tables *game, Position *pos, Differences *diff, int at) {
    int end = gather(game, pos, at);
    int before = -1;
    // Where a trail may change what pieces attack that go over others, no square tells that.
    if (end - at >= FEW && !game->leaving && game->round < 2) {
        int trail = pos->trail;
        pos->trail = 0;
        pos->side = 1 - pos->side;
        before = base_count(game, pos, diff, end);
        pos->side = 1 - pos->side;
        pos->trail = trail;
    }
    int hopped = pos->hopped;
    int64_t total = 0;
    int m = at;
    while (m < end) {
        int found = -1;
        if (before >= 0) {
            pos->hopped = hopped;
            found = answers(game, pos, diff, m, end, before);
        }
        if (found < 0) {
            make(game, pos, m);
            found = (int)count_moves(game, pos, end);
            unmake(game, pos, m);
        }
        total += found;
        m++;
    }
    return total;
}

/* Note two numbers for a position and a depth, 126 bits that no other will have. */
static void note_key(const Tables *game, Position *pos, Differences *diff, int depth) {
    int x = 0;
    int size = game->size;
    uint64_t first = 2 * depth + pos->side;
    if (game->round > 1) {
        first += (uint64_t)(pos->number % (2 * (int64_t)game->round)) << 16;
    }
    uint64_t second = first;
    int kinds = 2 * game->kinds;
    for (int q = 0; q < size + kinds + 2; q++) {
        if (q < size) {
            x = pos->board[q];
            int cap = game->remembered[x];
            if (cap) {
                int made = pos->made[q];
                if (made == UNKNOWN || made > cap) {
                    made = cap;
                }
                x += 4096 * (made + 3);
            }
        } else if (q < size + kinds) {
            x = pos->hands[q - size];
        } else if (q == size + kinds) {
            x = pos->trail;
        } else {
            x = pos->trail ? pos->victim : 0;
        }
        first = ((first + x + 1) * UINT64_C(6364136223846793005)) & LARGEST;
        first ^= first >> 31;
        second = ((second ^ x) * UINT64_C(2862933555777941757) + UINT64_C(3037000493)) & LARGEST;
        second ^= second >> 29;
    }
    diff->key = first;
    diff->second_key = second | 1;
}

/* `perft`, the last two moves counted by differences; without meaning once `stop` is set. */
int64_t perft_by_differences(const Tables *game, Position *pos, Differences *diff, int at,
                             int depth) {
    if (depth == 0) {
        return 1;
    }
    if (depth == 1 || pos->careful) {
        return perft(game, pos, at, depth);
    }
    int64_t slot = -1;
    uint64_t first = 0;
    uint64_t second = 0;
    if (diff->slots) {
        note_key(game, pos, diff, depth);
        first = diff->key;
        second = diff->second_key;
        slot = (int64_t)(first % (uint64_t)diff->slots) * 3;
        if (diff->table[slot] == first && diff->table[slot + 1] == second) {
            return (int64_t)diff->table[slot + 2];
        }
    }
    int64_t total = 0;
    if (depth == 2) {
        total = two(game, pos, diff, at);
    } else {
        int end = gather(game, pos, at);
        int m = at;
        while (m < end && !diff->stop) {
            make(game, pos, m);
            total += perft_by_differences(game, pos, diff, end, depth - 1);
            unmake(game, pos, m);
            m++;
        }
    }
    if (diff->slots && !diff->stop) {
        diff->table[slot] = first;
        diff->table[slot + 1] = second;
        diff->table[slot + 2] = (uint64_t)total;
    }
    return total;
}

/* `perft_by_differences` of the sequences that begin with a move of a list, which has an end.

   Where `second` is not negative, they go on with that one of the moves there. */
int64_t perft_after(const Tables *game, Position *pos, Differences *diff, int at, int end,
                    int depth, int second) {
    int64_t total = 0;
    if (depth > 1 && pos->careful && fate(game, pos, at)) {
        return 0;
    }
    make(game, pos, at);
    if (second < 0) {
        total = perft_by_differences(game, pos, diff, end, depth - 1);
    } else {
        int last = (int)generate(game, pos, end);
        int m = end + second;
        make(game, pos, m);
        total = perft_by_differences(game, pos, diff, last, depth - 2);
        unmake(game, pos, m);
    }
    unmake(game, pos, at);
    return total;
}
