/* Walks of pieces that roam: what is not laid out as nodes is an automaton, walked over states and
   squares, each met once with the same captures.

   In the list of numbers at such a piece's `roams` (src/alfil/game/roaming_pieces.py) stand which captures
   a run that goes as far as it can may have (-1 for other moves), whether what is passed is a trail,
   how many ranks a run to the middle has (-1 for other moves), where the ways back are (-1 where the
   board wraps), then where the records of each state begin. Before records stands how many they are. A
   record is a step in files and ranks, how it wraps, what may stand where the move ends, without a
   capture there and captured, and how many ways on follow: what may be passed, what is captured, and the
   next state. Of ways back there is first where those from a royal begin, which count as a state, then
   where those of each state do. Before them stands how many they are; each is the number of the state
   that it leads to, counted from 1, the step in files and ranks that is taken back, and what may stand
   on the square that it comes from.

   A walk leaves the nodes of the moves that it has found in `ends`. A square has two nodes for each
   part: the first one for moves that end there, the other for captures en passant, and at home for
   captures by what comes back. Nodes of moves that capture on their way or leave a trail are below
   zero, and say where in `burdens` stand one of those nodes, the trail, how many squares of captures
   follow, and the squares. */

/* How a step wraps: by files, by both; it is the first one of a leg, or makes no stop. */
enum { WRAPS_BOTH = 2, WRAP_BEGINS = 4, WRAP_SKIPS = 8 };
/* What stands on the square where a piece began; other classes are those of `seen`. */
enum { TRAIL_SEEN = 16, AT_HOME = 128, EMPTY_END = 1 };
/* Numbers of a record, and of a way on. */
enum { RECORD = 6, ONWARD = 3 };
/* Numbers of a way back. */
enum { BACK_STATE, BACK_FILES, BACK_RANKS, BACK_OVER, BACK };
/* What stands before the states. */
enum { GREEDY, TRAILS, HALF, BACKS, STATES };

/* One automaton let loose for the piece on a square. */
typedef struct {
    const Tables *game;
    Position *pos;
    const int32_t *graph;
    const int32_t *seen; /* what the piece calls what stands on squares */
    int home, back;      /* `back` is whether its side looks down the board */
    int fan;             /* its first node */
    int ways, links;     /* how many there are */
    int steps;           /* of runs as far as they can; there is a limit */
    int failed;          /* whether there are more than can be listed */
    int wide, high;      /* how many files and ranks more than one it takes up */
} Walk;

/* A square that a record leads to: what stands there, and whom a capture there takes. */
typedef struct {
    const int32_t *record;
    int square, standing, victim, taken;
    int passed; /* the chain of what is passed once the path goes on from there */
    int origin; /* where a leg on a board that wraps began, or -1 */
} RoamingStep;

/* Whether a chain of captures has a square. */
static int chain_has_square(const Walk *walk, int chain, int square) {
    const SquareChain *links = walk->pos->links;
    while (chain && links[chain].square != square) {
        chain = links[chain].before;
    }
    return chain != 0;
}

/* The chain that follows another one by a square, the same each time. */
static int chain_with_square(Walk *walk, int chain, int square) {
    SquareChain *links = walk->pos->links;
    int link = links[chain].first;
    while (link && links[link].square != square) {
        link = links[link].next;
    }
    if (link) {
        return link;
    }
    if (walk->links == walk->game->most_ways) {
        walk->failed = 1;
        return chain;
    }
    link = walk->links;
    walk->links++;
    links[link] = (SquareChain){square, chain, 0, links[chain].first, links[chain].length + 1, 0};
    links[chain].first = link;
    return link;
}

/* Note a way if it is a new one: below zero its state says that it has ended, by which node. */
static void add_path(Walk *walk, RoamingPath new) {
    Position *pos = walk->pos;
    uint32_t mask = (uint32_t)walk->game->most_ways * 2 - 1;
    uint64_t key = (uint64_t)(uint32_t)new.state * 2048 + (uint64_t)new.square;
    key = (key * 2048 + (uint64_t)(new.origin + 1)) * UINT64_C(0x9E3779B97F4A7C15);
    key = (key ^ (key >> 29) ^ (uint64_t)new.taken) * UINT64_C(0xBF58476D1CE4E5B9);
    key = (key ^ (key >> 32) ^ (uint64_t)new.passed) * UINT64_C(0x94D049BB133111EB);
    uint32_t slot = (uint32_t)(key >> 32) & mask;
    while (pos->met[slot]) {
        const RoamingPath *way = pos->ways + pos->met[slot] - 1;
        if (way->state == new.state && way->square == new.square && way->origin == new.origin &&
            way->taken == new.taken && way->passed == new.passed) {
            return;
        }
        slot = (slot + 1) & mask;
    }
    if (walk->ways == walk->game->most_ways) {
        walk->failed = 1;
        return;
    }
    new.slot = (int32_t)slot;
    pos->ways[walk->ways] = new;
    walk->ways++;
    pos->met[slot] = walk->ways;
}

/* What a number of files or ranks comes to on a board that wraps. */
static int wrap_coordinate(int x, int length) {
    return ((x % length) + length) % length;
}

/* The square that a record leads to from a way, or -1. */
static int square_of_record(const Walk *walk, const RoamingPath *way, const int32_t *record) {
    int files = walk->game->files;
    int ranks = walk->game->size / files;
    int wrap = record[2];
    if (!record[0] && !record[1] && !wrap) {
        return walk->home;
    }
    // The own square of a piece that takes up several keeps away from the edges beyond it.
    int west = walk->back ? walk->wide : 0;
    int south = walk->back ? walk->high : 0;
    int x = way->square % files - west + (walk->back ? -record[0] : record[0]);
    int y = way->square / files - south + (walk->back ? -record[1] : record[1]);
    if (wrap) {
        x = wrap_coordinate(x, files - walk->wide);
        y = wrap & WRAPS_BOTH ? wrap_coordinate(y, ranks - walk->high) : y;
    }
    if (x < 0 || x >= files - walk->wide || y < 0 || y >= ranks - walk->high) {
        return -1;
    }
    x += west;
    y += south;
    int origin = wrap & WRAP_BEGINS ? way->square : way->origin;
    int square = y * files + x;
    return wrap && !(wrap & WRAP_SKIPS) && square == origin ? -1 : square;
}

/* Look at the square that a record leads to from a way; whether it is on the board. */
static int fill_step(Walk *walk, const RoamingPath *way, const int32_t *record, RoamingStep *step) {
    Position *pos = walk->pos;
    int square = square_of_record(walk, way, record);
    if (square < 0) {
        return 0;
    }
    if (pos->marking) {
        mark_square(pos, square, 1);
    }
    int seen = walk->seen[(pos->shift[square] - VACANT) / 4];
    step->record = record;
    step->square = square;
    step->standing = square == walk->home ? AT_HOME : seen;
    step->victim = step->standing == TRAIL_SEEN ? pos->victim : square;
    step->taken = chain_has_square(walk, way->taken, step->victim);
    step->passed = way->passed;
    if ((walk->graph[TRAILS] || walk->graph[HALF] >= 0) &&
        !chain_has_square(walk, way->passed, square)) {
        step->passed = chain_with_square(walk, way->passed, square);
    }
    step->origin = record[2] & WRAP_BEGINS ? way->square : way->origin;
    return 1;
}

/* Whether a square is no farther than a run to the middle goes. */
static int is_in_near_half(const Walk *walk, int square) {
    int files = walk->game->files;
    int rank = square / files;
    return (walk->back ? walk->game->size / files - 1 - rank : rank) < walk->graph[HALF];
}

/* Whether a run to the middle may end on a square, or at home by a capture farther on. */
static int may_end_halfling_run(const Walk *walk, const RoamingPath *way, const RoamingStep *step) {
    const SquareChain *links = walk->pos->links;
    int last = step->square;
    int passed = way->passed;
    if (last == walk->home && way->taken) {
        last = links[way->taken].square;
        passed = links[passed].before;
    }
    int near = !passed || is_in_near_half(walk, last);
    while (passed && near) {
        near = is_in_near_half(walk, links[passed].square);
        passed = links[passed].before;
    }
    return near;
}

/* Note the end of a move by such a node, which captures something or not. */
static void add_move_end(Walk *walk, int node, const RoamingPath *way, const RoamingStep *step,
                         int captures) {
    int greedy = walk->graph[GREEDY];
    if (greedy >= 0 && !(captures ? greedy & ~EMPTY_END : greedy & EMPTY_END)) {
        return;
    }
    if (greedy < 0 && walk->graph[HALF] >= 0 && !may_end_halfling_run(walk, way, step)) {
        return;
    }
    if (walk->game->nodes[node] >> walk->pos->shift[step->square] & FORMS) {
        int passed = walk->graph[TRAILS] ? way->passed : 0;
        add_path(walk,
                 (RoamingPath){-1 - (node - walk->fan), step->square, -1, way->taken, passed, 0});
    }
}

/* Note the moves that end on a square; how many there are, whether the piece may make them or not. */
static int add_ends_on_square(Walk *walk, const RoamingPath *way, const RoamingStep *step) {
    int node = walk->fan + step->square;
    int size = walk->game->size;
    int count = 0;
    if (step->record[3] & step->standing) {
        int igui = step->square == walk->home && way->taken;
        add_move_end(walk, igui ? node + size : node, way, step, way->taken != 0);
        count++;
    }
    if (step->record[4] & step->standing && !step->taken) {
        add_move_end(walk, step->standing == TRAIL_SEEN ? node + size : node, way, step, 1);
        count++;
    }
    return count;
}

/* The records of a state: how many, and the first of them behind that. */
static const int32_t *records_of(const Walk *walk, int state) {
    return walk->graph + walk->graph[STATES + state];
}

static const int32_t *next_record(const int32_t *record) {
    return record + RECORD + ONWARD * record[5];
}

/* Follow all ways on from a square. */
static void add_onward_paths(Walk *walk, const RoamingPath *way, const RoamingStep *step) {
    for (int n = 0; n < step->record[5]; n++) {
        const int32_t *onward = step->record + RECORD + ONWARD * n;
        RoamingPath next = {onward[2], step->square, step->origin, way->taken, step->passed, 0};
        if (onward[0] & step->standing) {
            add_path(walk, next);
        }
        if (onward[1] & step->standing && !step->taken) {
            next.taken = chain_with_square(walk, way->taken, step->victim);
            add_path(walk, next);
        }
    }
}

/* Follow every way from home, and all that comes of it. */
static void follow_all_paths(Walk *walk) {
    add_path(walk, (RoamingPath){0, walk->home, -1, 0, 0, 0});
    for (int n = 0; n < walk->ways && !walk->failed; n++) {
        RoamingPath way = walk->pos->ways[n];
        if (way.state < 0) {
            continue;
        }
        const int32_t *records = records_of(walk, way.state);
        const int32_t *record = records + 1;
        for (int x = 0; x < records[0]; x++) {
            RoamingStep step;
            if (fill_step(walk, &way, record, &step)) {
                add_ends_on_square(walk, &way, &step);
                add_onward_paths(walk, &way, &step);
            }
            record = next_record(record);
        }
    }
}

static int add_unextendable_runs_from(Walk *walk, const RoamingPath *way, int depth);

/* Note where runs by a record of a way end that can go no farther; how many ends there are. */
static int add_unextendable_runs_by_record(Walk *walk, const RoamingPath *way,
                                           const int32_t *record, int depth) {
    RoamingStep step;
    if (!fill_step(walk, way, record, &step)) {
        return 0;
    }
    int count = 0;
    for (int n = 0; n < record[5]; n++) {
        const int32_t *onward = record + RECORD + ONWARD * n;
        RoamingPath next = {onward[2], step.square, step.origin, way->taken, step.passed, 0};
        if (onward[0] & step.standing) {
            count += add_unextendable_runs_from(walk, &next, depth + 1);
        }
        if (onward[1] & step.standing && !step.taken) {
            next.taken = chain_with_square(walk, way->taken, step.victim);
            count += add_unextendable_runs_from(walk, &next, depth + 1);
        }
    }
    return count ? count : add_ends_on_square(walk, way, &step);
}

/* The same for all records of the state that a way is in. */
static int add_unextendable_runs_from(Walk *walk, const RoamingPath *way, int depth) {
    const int32_t *records = records_of(walk, way->state);
    const int32_t *record = records + 1;
    int count = 0;
    walk->steps++;
    if (depth > walk->game->size || walk->steps > walk->game->most_ways) {
        walk->failed = 1;
    }
    for (int x = 0; x < records[0] && !walk->failed; x++) {
        count += add_unextendable_runs_by_record(walk, way, record, depth);
        record = next_record(record);
    }
    return count;
}

/* The number of the trail that a chain of squares is, 0 for none. */
static int passed_squares_number(Walk *walk, int passed) {
    const Tables *game = walk->game;
    SquareChain *link = walk->pos->links + passed;
    if (passed && !link->trail && !walk->failed) {
        int before = passed_squares_number(walk, link->before);
        int wanted = (2 * (game->pieces + 1) + before) * game->size + link->square;
        link->trail = walk->failed ? 0 : lay_out_and_publish(game, &link->trail, wanted);
        walk->failed |= !link->trail;
    }
    return link->trail;
}

/* Write down a node with the trail that a way leaves and what it captures before that; its number,
   or 0 without room for it. */
static int add_burden_node(Walk *walk, int node, const RoamingPath *way) {
    Position *pos = walk->pos;
    const SquareChain *links = pos->links;
    int taken = way->taken;
    int length = links[taken].length;
    int at = pos->burdened;
    int trail = passed_squares_number(walk, way->passed);
    if (length + 3 > walk->game->most_burdens - at || walk->failed) {
        walk->failed = 1;
        return 0;
    }
    pos->burdens[at] = node;
    pos->burdens[at + 1] = trail ? walk->game->trails[trail] : 0;
    pos->burdens[at + 2] = length;
    for (int x = length; x; x--) {
        pos->burdens[at + 2 + x] = links[taken].square;
        taken = links[taken].before;
    }
    pos->burdened = at + 3 + length;
    return -at;
}

/* Put the nodes of the ways that have ended behind all ends that there are, and forget all ways. */
static void collect_move_ends(Walk *walk) {
    Position *pos = walk->pos;
    int left = walk->game->most_burdened;
    for (int n = 0; n < walk->ways; n++) {
        const RoamingPath *way = pos->ways + n;
        pos->met[way->slot] = 0;
        if (way->state >= 0 || walk->failed) {
            continue;
        }
        int node = walk->fan - 1 - way->state;
        if (way->taken || way->passed) {
            node = left ? add_burden_node(walk, node, way) : 0;
            left--;
        }
        if (!node || pos->ended == walk->game->most_ends) {
            walk->failed = 1;
            continue;
        }
        pos->ends[pos->ended] = node;
        pos->ended++;
    }
}

/* Let walks go on for as long as they may for one answer. */
static void reset_walk_counts(Position *pos) {
    pos->failed = pos->walked = 0;
}

/* A walk of the piece on a square by a part that roams. */
static Walk start_walk(const Tables *game, Position *pos, int s, const Part *part) {
    int p = pos->board[s];
    pos->links[0] = (SquareChain){-1, 0, 0, 0, 0, 0};
    return (Walk){game,
                  pos,
                  game->pool + part->roams,
                  game->seen + CLASSES * p,
                  s,
                  (p - 1) & 1,
                  part->from,
                  0,
                  1,
                  0,
                  0,
                  has_large_pieces(game) ? game->wide[p] : 0,
                  has_large_pieces(game) ? game->high[p] : 0};
}

/* Add the nodes of all moves that the piece on a square makes by a part that roams. */
static RARE void walk_roaming_part(const Tables *game, Position *pos, int s, const Part *part) {
    if (pos->failed) {
        return;
    }
    Walk walk = start_walk(game, pos, s, part);
    if (walk.graph[GREEDY] < 0) {
        follow_all_paths(&walk);
    } else {
        RoamingPath start = {0, s, -1, 0, 0, 0};
        add_unextendable_runs_from(&walk, &start, 0);
    }
    collect_move_ends(&walk);
    pos->walked += walk.ways + walk.steps;
    pos->work += walk.ways + walk.steps;
    if (walk.failed || pos->walked > game->most_walked) {
        pos->failed = 1;
        abort_call(game, walk.failed ? -1 - (pos->board[s] * game->size + s) : ENDLESS);
    }
}

/* Follow all ways back from a square where the board is not veiled.

   Where something else on the square might open another one, it is marked where walks mark. */
static void add_paths_back(Walk *walk, RoamingPath way) {
    const Tables *game = walk->game;
    Position *pos = walk->pos;
    int p = pos->board[walk->home];
    int files = game->files;
    int seen_as = has_special_view(game, p) ? class_shift_seen_by(game, pos, p, way.square)
                                            : pos->shift[way.square];
    int standing = way.square == walk->home ? AT_HOME : walk->seen[(seen_as - VACANT) / 4];
    const int32_t *backs = walk->graph + walk->graph[walk->graph[BACKS] + way.state];
    const int32_t *back = backs + 1;
    for (int n = 0; n < backs[0]; n++, back += BACK) {
        int x = way.square % files + (walk->back ? back[BACK_FILES] : -back[BACK_FILES]);
        int y = way.square / files + (walk->back ? back[BACK_RANKS] : -back[BACK_RANKS]);
        if (x < 0 || x >= files || y < 0 || y >= game->size / files) {
            continue;
        }
        if (back[BACK_OVER] & standing) {
            add_path(walk, (RoamingPath){back[BACK_STATE], y * files + x, -1, 0, 0, 0});
        } else if (pos->marking) {
            mark_square(pos, way.square, 1);
        }
    }
}

/* Whether a path of a part that roams may come to a royal, whatever it captures and passes on its way:
   whether it comes home if it is followed back from there, or goes so many ways back as no straight lines
   do, so that it may be less work to follow it from home. */
static int may_part_reach_royal(const Tables *game, Position *pos, int s, const Part *part,
                                int royal) {
    Walk walk = start_walk(game, pos, s, part);
    int most = 4 * (game->files + game->size / game->files);
    int found = walk.graph[BACKS] < 0;
    if (!found) {
        add_path(&walk, (RoamingPath){0, royal, -1, 0, 0, 0});
    }
    for (int n = 0; n < walk.ways && !found; n++) {
        add_paths_back(&walk, pos->ways[n]);
        found = walk.failed || walk.ways > most || (pos->ways[n].state == 1 && pos->ways[n].square == s);
    }
    for (int n = 0; n < walk.ways; n++) {
        pos->met[pos->ways[n].slot] = 0;
    }
    pos->walked += walk.ways;
    pos->work += walk.ways;
    return found;
}

/* The same of all parts of the piece on a square. */
static RARE int may_roam_to_royal(const Tables *game, Position *pos, int s, int royal) {
    const int32_t *parts = game->pool + cell_of(game, pos->board[s], s)->parts;
    int found = 0;
    for (int n = 0; n < parts[0] && !found; n++) {
        const Part *part = (const Part *)(parts + 1) + n;
        found = part->roams && may_part_reach_royal(game, pos, s, part, royal);
    }
    return found;
}

/* How a side counts a square: by files, then by ranks. */
static int square_order_for_side(const Tables *game, int side, int square) {
    int number = game->file_of[square] * (game->size / game->files) + square / game->files;
    return side ? -number : number;
}

/* One of the squares that a move by a node of the piece on a square captures on, on the way first;
   the number of squares where there are no more. */
static int nth_square_captured_by_node(const Tables *game, const Position *pos, int s, int node,
                                       int index) {
    const int32_t *c = captures_en_route(game, pos, node);
    if (index < c[0]) {
        return nth_square_of_captures(game, pos, c, index);
    }
    int q = (int)(word_of_node(game, pos, node) & SQUARE);
    if (index == c[0] && is_en_passant_capture(game, pos, node, q)) {
        return pos->victim;
    }
    int there = pos->shift[q] != VACANT && pos->shift[q] != PASSED;
    return index == c[0] && q != s && there ? q : game->size;
}

/* Whether two moves of the piece on a square to the same square capture the same. */
static RARE int capture_same_squares(const Tables *game, const Position *pos, int s, int node,
                                     int other_node) {
    int length = 0;
    while (nth_square_captured_by_node(game, pos, s, node, length) < game->size) {
        length++;
    }
    for (int x = 0; x < length; x++) {
        int y = 0;
        while (y < length && nth_square_captured_by_node(game, pos, s, other_node, y) !=
                                 nth_square_captured_by_node(game, pos, s, node, x)) {
            y++;
        }
        if (y == length) {
            return 0;
        }
    }
    return nth_square_captured_by_node(game, pos, s, other_node, length) == game->size;
}

/* One of the squares of a list, or the number of squares where there are no more. */
static int nth_square_of_list(const Tables *game, int list, int index) {
    return index < game->pool[list] ? game->pool[list + 1 + index] : game->size;
}

/* Whether one move of the piece on a square is listed before another: by where it ends, then by
   what it captures and passes, as its side counts squares. */
static int is_listed_before(const Tables *game, const Position *pos, int s, int node,
                            int other_node) {
    int side = (pos->board[s] - 1) & 1;
    int by = square_order_for_side(game, side, (int)(word_of_node(game, pos, node) & SQUARE));
    int than =
        square_order_for_side(game, side, (int)(word_of_node(game, pos, other_node) & SQUARE));
    int trailing = 0;
    for (int x = 0; by == than; x++) {
        int first = trailing ? nth_square_of_list(game, en_passant_squares_of(game, pos, node), x)
                             : nth_square_captured_by_node(game, pos, s, node, x);
        int second = trailing
                         ? nth_square_of_list(game, en_passant_squares_of(game, pos, other_node), x)
                         : nth_square_captured_by_node(game, pos, s, other_node, x);
        if (first == game->size && second == game->size && !trailing) {
            trailing = 1;
            x = -1;
        } else if (first == game->size || second == game->size) {
            return first == game->size && second != game->size;
        } else {
            by = square_order_for_side(game, side, first);
            than = square_order_for_side(game, side, second);
        }
    }
    return by < than;
}

/* Bring ends from a place on into the order of the moves. */
static RARE void sort_move_ends(const Tables *game, Position *pos, int s, int first) {
    int32_t *ends = pos->ends + first;
    int count = pos->ended - first;
    for (int gap = count / 2; gap; gap = gap == 2 ? 1 : gap * 5 / 11) {
        for (int n = gap; n < count; n++) {
            int32_t end = ends[n];
            int x = n;
            while (x >= gap && is_listed_before(game, pos, s, end, ends[x - gap])) {
                ends[x] = ends[x - gap];
                x -= gap;
            }
            ends[x] = end;
        }
    }
}

/* Free the room of burdens of moves that no list has any more; places from `at` on are no list. */
static RARE void free_unused_burdens(const Tables *game, Position *pos, int at) {
    int top = 1;
    if (pos->burdened < game->most_burdens / 2) {
        return;
    }
    // What stands first is no list's: a move taken back, whose burden is forgotten.
    for (int m = 1; m < at; m++) {
        int place = -pos->moves[m].node;
        if (place > 0 && place < pos->burdened - 2) {
            int length = pos->burdens[place + 2];
            int fits = length >= 0 && length < pos->burdened - place - 2;
            int behind = fits ? place + 3 + length : pos->burdened;
            top = behind > top ? behind : top;
        }
    }
    pos->burdened = top;
}
