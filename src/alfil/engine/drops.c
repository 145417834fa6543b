/* Which drops are legal. */

/* Whether a piece of a side stands beside a square. */
static int has_piece_beside(const Tables *game, Position *pos, int q, int side) {
    int around = game->around[q];
    for (int x = 0; x < game->pool[around]; x++) {
        if (is_piece_of_side(game, pos, game->pool[around + 1 + x], side)) {
            return 1;
        }
    }
    return 0;
}

/* Whether a drop is in the opening while that lasts; then whether it touches what it must. */
static int meets_drop_place_rules(const Tables *game, Position *pos, int piece, int square) {
    int size = game->size;
    int side = (piece - 1) & 1;
    const int32_t *opens = game->opens + side * size;
    for (int x = 0; x < size; x++) {
        if (opens[x] && !pos->board[x]) {
            return opens[square];
        }
    }
    int beside = !game->beside_own;
    int encloses = game->turning != ENCLOSED;
    const int32_t *body = occupied_offsets(game, piece);
    for (int x = 0; x < body[0]; x++) {
        beside = beside || has_piece_beside(game, pos, square + body[1 + x], side);
        for (int n = 0; !encloses && n < 8; n++) {
            encloses =
                count_enclosed_on_ray(game, pos, game->rays[8 * (square + body[1 + x]) + n], side);
        }
    }
    return beside && encloses;
}

/* Whether a drop leaves room on either colour for all that is limited on it. */
static int leaves_room_on_colours(const Tables *game, Position *pos, int dropped, int square) {
    int side = (dropped - 1) & 1;
    for (int kind = 0; kind < game->kinds; kind++) {
        int limit = game->colour_limit[kind];
        int piece = 1 + 2 * kind + side;
        int left = 0;
        for (int colour = 0, end_colour = limit ? 2 : 0; colour < end_colour; colour++) {
            int there = 0;
            int room = 0;
            for (int x = 0; x < game->size; x++) {
                if ((game->file_of[x] + x / game->files) % 2 == colour) {
                    int stands = pos->board[x] == piece && anchor_square(game, pos, x) == x;
                    if (stands || (x == square && dropped == piece)) {
                        there++;
                    } else if (x != square && !pos->board[x]) {
                        room +=
                            (int)(game->drop_squares[game->words * piece + (x >> 5)] >> (x & 31) & 1);
                    }
                }
            }
            if (there > limit) {
                return 0;
            }
            left += room < limit - there ? room : limit - there;
        }
        int wanted = pos->hands[side * game->kinds + kind] - (dropped == piece);
        if (limit && left < wanted) {
            return 0;
        }
    }
    return 1;
}

/* Whether a piece that is dropped on a free square would attack a royal of the other side. */
static int drop_attacks_royal(const Tables *game, Position *pos, int piece, int square) {
    if (!pos->careful) {
        int k = pos->royals[1 - ((piece - 1) & 1)];
        int a = attack_branches_of(game, piece, square, k);
        return a && attacks_by_branches(game, pos, a, square, k);
    }
    int made = pos->made[square];
    put(game, pos, square, piece);
    pos->made[square] = game->starts[square] == piece ? DROPPED : UNKNOWN;
    int hit = is_checker(game, pos, square);
    lift(game, pos, square);
    pos->made[square] = made;
    return hit;
}

/* Why the rules for a piece do not let it be dropped on a free square that its ranks allow. */
static int drop_square_illegality(const Tables *game, Position *pos, int piece, int square) {
    int limit = game->drop_limit[piece];
    if (limit && pos->on_file[piece * game->files + game->file_of[square]] >= limit) {
        return FULL_FILE;
    }
    int rules = game->drop_check[piece];
    int check = rules & (CHECKING | QUIETLY);
    // Where moves have effects that depends on all that a drop changes.
    if (check && !game->effects &&
        drop_attacks_royal(game, pos, piece, square) != (check == CHECKING)) {
        return DROP_CHECK;
    }
    if (rules & IN_PLACE && !meets_drop_place_rules(game, pos, piece, square)) {
        return DROP_PLACE;
    }
    return rules & ON_COLOUR && !leaves_room_on_colours(game, pos, piece, square) ? DROP_COLOUR
                                                                                  : LEGAL;
}

/* The squares of one word on which a piece may be dropped by ranks and full files. */
static uint32_t drop_squares_of_word(const Tables *game, const Position *pos, int piece, int word) {
    int words = game->words;
    uint32_t m = game->drop_squares[words * piece + word];
    int limit = game->drop_limit[piece];
    if (limit) {
        for (int file = 0; file < game->files; file++) {
            if (pos->on_file[piece * game->files + file] >= limit) {
                m &= ~game->file_squares[words * file + word];
            }
        }
    }
    return m;
}

/* Whether a square is free and a piece may be dropped there by its ranks. */
static int is_free_drop_square(const Tables *game, Position *pos, int piece, int square) {
    return ((game->drop_squares[game->words * piece + (square >> 5)] &
             ~pos->occupied[square >> 5]) >>
            (square & 31)) &
           1;
}

/* `hand_kind_of_drop` where a form may be put down from two kinds in the hand: it is put down once.
 */
static RARE int hand_kind_of_drop_once(const Tables *game, const int32_t *hand, int side,
                                       int index) {
    int droppable = game->droppable[side];
    int p = game->pool[droppable + 2 + 2 * index];
    for (int y = 0; y < index; y++) {
        if (game->pool[droppable + 2 + 2 * y] == p && hand[game->pool[droppable + 1 + 2 * y]]) {
            return -1;
        }
    }
    return hand[(p - 1) >> 1] ? (p - 1) >> 1 : game->pool[droppable + 1 + 2 * index];
}

/* The kind in hand that is put down by one way to drop; -1 where there is none. */
static inline int hand_kind_of_drop(const Tables *game, const Position *pos, int side, int index) {
    const int32_t *hand = game->endless ? game->unheld : pos->hands + side * game->kinds;
    int kind = game->pool[game->droppable[side] + 1 + 2 * index];
    if (!hand[kind]) {
        return -1;
    }
    return game->two_kinds ? hand_kind_of_drop_once(game, hand, side, index) : kind;
}

/* How many ways to drop the mover has to look at: none where its hand is empty, as it mostly is in the
   beginning. */
static inline int count_drop_options(const Tables *game, const Position *pos) {
    int ways = game->pool[game->droppable[pos->side]];
    const int32_t *hand = pos->hands + pos->side * game->kinds;
    int held = game->endless;
    for (int kind = 0, end_kind = ways ? game->kinds : 0; kind < end_kind; kind++) {
        held |= hand[kind];
    }
    return held ? ways : 0;
}

/* Why a drop of the list is not legal, where that depends on all that it changes. */
static int drop_illegality_once_made(const Tables *game, Position *pos, int m) {
    int side = pos->side;
    int check = game->drop_check[pos->moves[m].becomes] & (CHECKING | QUIETLY);
    int before = reason_of_broken_law(game, pos, m, BEFORE);
    int reason = LEGAL;
    make(game, pos, m);
    if (pos->faced && royals_face_each_other(game, pos)) {
        reason = FACING;
    } else if (check && is_checker(game, pos, pos->moves[m].target) != (check == CHECKING)) {
        reason = DROP_CHECK;
    } else {
        reason = before ? before : reason_of_broken_law(game, pos, m, MADE);
    }
    if (!reason && !game->lenient && is_in_check(game, pos, side)) {
        reason = SELF_CHECK;
    }
    unmake(game, pos, m);
    return reason;
}

/* Leave the legal ones among drops in a list that build walls; the place after the last. */
static int keep_legal_drops(const Tables *game, Position *pos, int first, int end) {
    int at = first;
    int m = first;
    while (m < end) {
        copy_move(pos, m, at);
        int fault = pos->reasons ? pos->reasons[m] : LEGAL;
        at = keep_if_legal(pos, at, fault ? fault : drop_illegality_once_made(game, pos, at));
        m++;
    }
    return at;
}

/* Why a drop of the list is not legal by how royals stand after it. */
static int drop_illegality(const Tables *game, Position *pos, int m) {
    if (game->effects) {
        return drop_illegality_once_made(game, pos, m);
    }
    int opening = may_expose_if_occupied(pos, pos->moves[m].target);
    int reason = reason_of_broken_law(game, pos, m, BEFORE);
    if (!reason && (has_law(game, MADE) || pos->faced)) {
        make(game, pos, m);
        int faced = pos->faced && royals_face_each_other(game, pos);
        reason = faced ? FACING : reason_of_broken_law(game, pos, m, MADE);
        unmake(game, pos, m);
    }
    if (!reason && !game->lenient &&
        (pos->checks || opening || game->royal[pos->moves[m].becomes])) {
        reason = is_safe_once_made(game, pos, m) ? LEGAL : SELF_CHECK;
        // Drops are listed while no trail is shown.
        set_en_passant_class(game, pos, VACANT);
    }
    return reason;
}

/* Keep the drop written at a place, with all it may build, if legal; the place after. */
static int emit_drop_if_legal(const Tables *game, Position *pos, int at) {
    if (game->effects || game->endless || game->setting) {
        pos->moves[at].flags = CHANGING;
    }
    if (game->walling && game->walling != LEFT) {
        int end = list_with_walls(game, pos, at, FREE);
        return keep_legal_drops(game, pos, at, end);
    }
    return keep_if_legal(pos, at, pos->fault ? pos->fault : drop_illegality(game, pos, at));
}

/* List the legal drops of a piece, those that mate among them; the place after the last. */
static int list_drops_of_piece(const Tables *game, Position *pos, int at, int kind, int piece) {
    for (int word = 0; word < game->words; word++) {
        uint32_t m = drop_squares_of_word(game, pos, piece, word) & ~pos->occupied[word];
        while (m) {
            int q = word * 32 + lowest_bit(m);
            m &= m - 1;
            if (is_large_piece(game, piece) && !has_space(game, pos, piece, q)) {
                continue;
            }
            if (pos->checks && !is_royal_safety_square(pos, q) && !pos->hopped) {
                continue;
            }
            if (game->drop_check[piece] && drop_square_illegality(game, pos, piece, q)) {
                continue;
            }
            write_move(pos, at, game->size, q, piece, kind);
            if (pos->careful) {
                at = emit_drop_if_legal(game, pos, at);
                continue;
            }
            if (pos->checks || (is_royal_safety_square(pos, q) && pos->hopped)) {
                if (exposes_royal(game, pos, game->size, q, piece, 0)) {
                    continue;
                }
            }
            at = next_move_index(pos, at);
        }
    }
    return checked_list_end(game, pos, at);
}

/* List the legal drops, those that mate among them; the place after the last. */
static int list_drops(const Tables *game, Position *pos, int at) {
    int droppable = game->droppable[pos->side];
    for (int x = 0, end_x = count_drop_options(game, pos); x < end_x; x++) {
        int kind = hand_kind_of_drop(game, pos, pos->side, x);
        if (kind >= 0) {
            at = list_drops_of_piece(game, pos, at, kind, game->pool[droppable + 2 + 2 * x]);
        }
    }
    return at;
}
