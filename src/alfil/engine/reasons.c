/* What is asked of single pieces and moves: all that a piece could do, and why that is not legal. */

/* What `propose` does while moves are judged one by one, whatever royals there are. */
typedef struct {
    int32_t careful, royals[2];
} Manner;

static Manner begin_slow_legality(const Tables *game, Position *pos, int32_t *reasons) {
    Manner before = {pos->careful, {pos->royals[0], pos->royals[1]}};
    pos->careful = 1;
    pos->royals[0] = pos->royals[1] = game->size;
    pos->reasons = reasons;
    find_checks(game, pos);
    return before;
}

static void end_slow_legality(Position *pos, Manner before) {
    pos->careful = before.careful;
    pos->royals[0] = before.royals[0];
    pos->royals[1] = before.royals[1];
    pos->reasons = NULL;
}

int64_t propose(const Tables *game, Position *pos, int s, int at, int32_t *reasons) {
    Manner before = begin_slow_legality(game, pos, reasons);
    show_trail(game, pos, PASSED);
    at = list_piece(game, pos, at, s, TRIED, ALL);
    show_trail(game, pos, VACANT);
    end_slow_legality(pos, before);
    return at;
}

int64_t list_drop_with_reason(const Tables *game, Position *pos, int s, int p, int at, int32_t *reasons) {
    int droppable = game->droppable[pos->side];
    for (int x = 0; x < game->pool[droppable]; x++) {
        int kind = game->pool[droppable + 2 + 2 * x] == p ? in_hand(game, pos, pos->side, x) : -1;
        if (kind < 0) {
            continue;
        }
        Manner before = begin_slow_legality(game, pos, reasons);
        write(pos, at, game->size, s, p, kind);
        pos->fault = misplaced(game, pos, p, s);
        pos->reasons = NULL;
        if (!pos->fault && !game->effects && game->drop_mate[p] && mates(game, pos, at, at + 1)) {
            pos->fault = DROP_MATE;
        }
        // To look for a reply has marked other squares.
        find_checks(game, pos);
        pos->reasons = reasons;
        int end = settled_drop(game, pos, at);
        pos->fault = LEGAL;
        pos->reasons = NULL;
        for (int m = at; game->effects && game->drop_mate[p] && m < end; m++) {
            if (!reasons[m] && mates(game, pos, m, end)) {
                reasons[m] = DROP_MATE;
            }
        }
        end_slow_legality(pos, before);
        return end;
    }
    return at;
}

/* What some nodes of the piece on a square do to go to another one: `GOES`, `TAKES`. */
static int goes_by(const Tables *game, Position *pos, int s, int target, int i, int end, int on) {
    int found = 0;
    while (i < end) {
        uint64_t w = word_at(game, pos, i);
        int q = (int)(w & SQUARE);
        uint64_t t = w >> pos->shift[q];
        if (t & FORMS && q == target && !(game->en_route && takes_twice(game, pos, i, s, q))) {
            Move lone = {s, q, pos->board[s], i, 0, passes_on(game, pos, i, q) ? PASSANT : 0};
            Move *moves = pos->moves;
            pos->moves = &lone;
            int takes_it = 0;
            for (int x = 0, end_x = captures(game, pos, 0); x < end_x; x++) {
                takes_it = takes_it || captured(game, pos, 0, x) == on;
            }
            if (!game->iron || !captures_barred(game, pos, 0)) {
                found |= takes_it ? TAKES : GOES;
            }
            pos->moves = moves;
        }
        i = next_node(i, w, t);
    }
    return found;
}

/* Whether the piece on a square castles to another one by one part. */
static int castles_by(const Tables *game, Position *pos, int s, int target, const Part *part) {
    Castling way = {part->from, 0, 0, 0};
    while (next_castling(game, pos, s, part, &way)) {
        if (way.square == target) {
            return 1;
        }
    }
    return 0;
}

/* `could_go` as the board stands. */
static int ways_to(const Tables *game, Position *pos, int s, int target, int on) {
    veil(game, pos, pos->board[s], s);
    Run run = first_run(game, pos, s);
    int found = goes_by(game, pos, s, target, run.at, run.end, on);
    while (next_run(game, pos, s, &run)) {
        if (!run.part->steps) {
            found |= goes_by(game, pos, s, target, run.at, run.end, on);
        } else if (castles_by(game, pos, s, target, run.part)) {
            found |= CASTLES;
        }
    }
    release_run(pos, &run);
    veil(game, pos, 0, s);
    for (int file = 0; file < game->files; file++) {
        int partner = partner_on(game, pos, s, file);
        if (partner && castled(s, partner) == target) {
            found |= CASTLES;
        }
    }
    return found;
}

/* Have some squares stand otherwise, or as they did: each change is swapped with the board. */
static void swap_squares(const Tables *game, Position *pos, int32_t *changes, int number) {
    for (int x = 0; x < 2 * number; x += 2) {
        int piece = pos->board[changes[x]];
        pos->board[changes[x]] = changes[x + 1];
        pos->shift[changes[x]] = (uint8_t)game->shift[changes[x + 1]];
        keep_view(game, pos, changes[x]);
        changes[x + 1] = piece;
    }
}

int64_t could_go(const Tables *game, Position *pos, int s, int target, int32_t *changes,
                 int number) {
    begin_walks(pos);
    swap_squares(game, pos, changes, number);
    show_trail(game, pos, PASSED);
    int found = ways_to(game, pos, s, target, number ? changes[0] : game->size);
    show_trail(game, pos, VACANT);
    swap_squares(game, pos, changes, number);
    return found;
}

/* How many moves some nodes make. */
static int count_ends(const Tables *game, Position *pos, int i, int end) {
    int count = 0;
    while (i < end) {
        uint64_t w = word_at(game, pos, i);
        uint64_t t = w >> pos->shift[w & SQUARE];
        count += (t & FORMS) != 0;
        i = next_node(i, w, t);
    }
    return count;
}

/* How many moves a piece would have on a square. */
static int moves_from(const Tables *game, Position *pos, int p, int s) {
    int32_t change[] = {s, p};
    swap_squares(game, pos, change, 1);
    int made = pos->made[s];
    pos->made[s] = UNKNOWN;
    veil(game, pos, p, s);
    Run run = first_run(game, pos, s);
    int count = count_ends(game, pos, run.at, run.end);
    while (next_run(game, pos, s, &run)) {
        count += run.part->steps ? 0 : count_ends(game, pos, run.at, run.end);
    }
    release_run(pos, &run);
    veil(game, pos, 0, s);
    pos->made[s] = made;
    swap_squares(game, pos, change, 1);
    return count;
}

void add_mobility(const Tables *game, Position *pos, int first, int step, int32_t *counts) {
    for (int p = 1; p < game->pieces; p += 2) {
        begin_walks(pos);
        for (int s = first; !game->royal[p] && s < game->size; s += step) {
            *counts++ += moves_from(game, pos, p, s);
        }
    }
}

int64_t is_checked(const Tables *game, Position *pos, int side) {
    begin_walks(pos);
    // The trail of the last move is there for the side to move alone.
    int shown = side != pos->side;
    show_trail(game, pos, shown ? PASSED : VACANT);
    int found = is_in_check(game, pos, side);
    show_trail(game, pos, VACANT);
    return found;
}

int64_t attacks_royal(const Tables *game, Position *pos, int s) {
    begin_walks(pos);
    int shown = ((pos->board[s] - 1) & 1) == pos->side;
    show_trail(game, pos, shown ? PASSED : VACANT);
    int found = is_checker(game, pos, s);
    show_trail(game, pos, VACANT);
    return found;
}

int64_t is_immobile(const Tables *game, Position *pos, int s) {
    return is_frozen(game, pos, s);
}
