/* What is asked of single pieces and moves: all that a piece could do, and why that is not legal. */

/* What `list_moves_with_reasons` does while moves are judged one by one, whatever royals there are.
 */
typedef struct {
    int32_t careful, royals[2];
} SavedRoyals;

static SavedRoyals begin_slow_legality(const Tables *game, Position *pos, int32_t *reasons) {
    SavedRoyals before = {pos->careful, {pos->royals[0], pos->royals[1]}};
    pos->careful = 1;
    pos->royals[0] = pos->royals[1] = game->size;
    pos->reasons = reasons;
    find_checks(game, pos);
    return before;
}

static void end_slow_legality(Position *pos, SavedRoyals before) {
    pos->careful = before.careful;
    pos->royals[0] = before.royals[0];
    pos->royals[1] = before.royals[1];
    pos->reasons = NULL;
}

int64_t list_moves_with_reasons(const Tables *game, Position *pos, int s, int at,
                                int32_t *reasons) {
    SavedRoyals before = begin_slow_legality(game, pos, reasons);
    set_en_passant_class(game, pos, PASSED);
    at = list_moves_of_piece(game, pos, at, s, TRIED, ALL);
    set_en_passant_class(game, pos, VACANT);
    end_slow_legality(pos, before);
    return at;
}

int64_t list_drop_with_reason(const Tables *game, Position *pos, int s, int piece, int at,
                              int32_t *reasons) {
    int droppable = game->droppable[pos->side];
    for (int x = 0; x < game->pool[droppable]; x++) {
        int kind = game->pool[droppable + 2 + 2 * x] == piece
                       ? hand_kind_of_drop(game, pos, pos->side, x)
                       : -1;
        if (kind < 0) {
            continue;
        }
        SavedRoyals before = begin_slow_legality(game, pos, reasons);
        write_move(pos, at, game->size, s, piece, kind);
        pos->fault = drop_square_illegality(game, pos, piece, s);
        pos->reasons = NULL;
        if (!pos->fault && !game->effects && game->drop_mate[piece] &&
            gives_mate(game, pos, at, at + 1)) {
            pos->fault = DROP_MATE;
        }
        // To look for a reply has marked other squares.
        find_checks(game, pos);
        pos->reasons = reasons;
        int end = emit_drop_if_legal(game, pos, at);
        pos->fault = LEGAL;
        pos->reasons = NULL;
        for (int m = at; game->effects && game->drop_mate[piece] && m < end; m++) {
            if (!reasons[m] && gives_mate(game, pos, m, end)) {
                reasons[m] = DROP_MATE;
            }
        }
        end_slow_legality(pos, before);
        return end;
    }
    return at;
}

/* What some nodes of the piece on a square do to go to another one: `GOES`, `TAKES`. */
static int ways_by_nodes(const Tables *game, Position *pos, int s, int target, int node, int end,
                         int captured_on) {
    int found = 0;
    while (node < end) {
        uint64_t w = word_of_node(game, pos, node);
        int q = (int)(w & SQUARE);
        uint64_t t = w >> pos->shift[q];
        if (t & FORMS && q == target &&
            !(game->en_route && captures_en_passant_twice(game, pos, node, s, q))) {
            Move lone = {s,    q, pos->board[s],
                         node, 0, is_en_passant_capture(game, pos, node, q) ? PASSANT : 0};
            Move *moves = pos->moves;
            pos->moves = &lone;
            int takes_it = 0;
            for (int x = 0, end_x = count_captured_squares(game, pos, 0); x < end_x; x++) {
                takes_it = takes_it || nth_captured_square(game, pos, 0, x) == captured_on;
            }
            if (!game->iron || !captures_barred_piece(game, pos, 0)) {
                found |= takes_it ? TAKES : GOES;
            }
            pos->moves = moves;
        }
        node = next_node(node, w, t);
    }
    return found;
}

/* Whether the piece on a square castles to another one by one part. */
static int castles_to(const Tables *game, Position *pos, int s, int target, const Part *part) {
    Castling way = {part->from, 0, 0, 0};
    while (next_castling(game, pos, s, part, &way)) {
        if (way.square == target) {
            return 1;
        }
    }
    return 0;
}

/* `ways_to_square_after_changes` as the board stands. */
static int ways_to_square(const Tables *game, Position *pos, int s, int target, int captured_on) {
    view_board_as(game, pos, pos->board[s], s);
    Run run = first_run(game, pos, s);
    int found = ways_by_nodes(game, pos, s, target, run.at, run.end, captured_on);
    while (next_run(game, pos, s, &run)) {
        if (!run.part->steps) {
            found |= ways_by_nodes(game, pos, s, target, run.at, run.end, captured_on);
        } else if (castles_to(game, pos, s, target, run.part)) {
            found |= CASTLES;
        }
    }
    release_run(pos, &run);
    view_board_as(game, pos, 0, s);
    for (int file = 0; file < game->files; file++) {
        int partner = castling_partner_on_file(game, pos, s, file);
        if (partner && castling_target(s, partner) == target) {
            found |= CASTLES;
        }
    }
    return found;
}

/* Have some squares stand otherwise, or as they did: each change is swapped with the board. */
static void swap_changes_with_board(const Tables *game, Position *pos, int32_t *changes,
                                    int change_count) {
    for (int x = 0; x < 2 * change_count; x += 2) {
        int piece = pos->board[changes[x]];
        pos->board[changes[x]] = changes[x + 1];
        pos->shift[changes[x]] = (uint8_t)game->shift[changes[x + 1]];
        refresh_view(game, pos, changes[x]);
        changes[x + 1] = piece;
    }
}

int64_t ways_to_square_after_changes(const Tables *game, Position *pos, int s, int target,
                                     int32_t *changes, int change_count) {
    reset_walk_counts(pos);
    swap_changes_with_board(game, pos, changes, change_count);
    set_en_passant_class(game, pos, PASSED);
    int found = ways_to_square(game, pos, s, target, change_count ? changes[0] : game->size);
    set_en_passant_class(game, pos, VACANT);
    swap_changes_with_board(game, pos, changes, change_count);
    return found;
}

/* How many moves some nodes make. */
static int count_targets_of_nodes(const Tables *game, Position *pos, int node, int end) {
    int count = 0;
    while (node < end) {
        uint64_t w = word_of_node(game, pos, node);
        uint64_t t = w >> pos->shift[w & SQUARE];
        count += (t & FORMS) != 0;
        node = next_node(node, w, t);
    }
    return count;
}

/* How many moves a piece would have on a square. */
static int count_moves_from(const Tables *game, Position *pos, int piece, int s) {
    int32_t change[] = {s, piece};
    swap_changes_with_board(game, pos, change, 1);
    int made = pos->made[s];
    pos->made[s] = UNKNOWN;
    view_board_as(game, pos, piece, s);
    Run run = first_run(game, pos, s);
    int count = count_targets_of_nodes(game, pos, run.at, run.end);
    while (next_run(game, pos, s, &run)) {
        count += run.part->steps ? 0 : count_targets_of_nodes(game, pos, run.at, run.end);
    }
    release_run(pos, &run);
    view_board_as(game, pos, 0, s);
    pos->made[s] = made;
    swap_changes_with_board(game, pos, change, 1);
    return count;
}

void add_mobility(const Tables *game, Position *pos, int first, int step, int32_t *counts) {
    for (int p = 1; p < game->pieces; p += 2) {
        reset_walk_counts(pos);
        for (int s = first; !game->royal[p] && s < game->size; s += step) {
            *counts++ += count_moves_from(game, pos, p, s);
        }
    }
}

int64_t is_checked(const Tables *game, Position *pos, int side) {
    reset_walk_counts(pos);
    // The trail of the last move is there for the side to move alone.
    int shown = side != pos->side;
    set_en_passant_class(game, pos, shown ? PASSED : VACANT);
    int found = is_in_check(game, pos, side);
    set_en_passant_class(game, pos, VACANT);
    return found;
}

int64_t attacks_royal(const Tables *game, Position *pos, int s) {
    reset_walk_counts(pos);
    int shown = ((pos->board[s] - 1) & 1) == pos->side;
    set_en_passant_class(game, pos, shown ? PASSED : VACANT);
    int found = is_checker(game, pos, s);
    set_en_passant_class(game, pos, VACANT);
    return found;
}

int64_t is_piece_immobilised(const Tables *game, Position *pos, int s) {
    return is_immobilised(game, pos, s);
}
