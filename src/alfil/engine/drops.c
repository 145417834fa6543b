/* Which drops are legal. */

/* Whether a piece of a side stands beside a square. */
static int is_beside(const Tables *game, Position *pos, int q, int side) {
    int around = game->around[q];
    for (int x = 0; x < game->pool[around]; x++) {
        if (is_of(game, pos, game->pool[around + 1 + x], side)) {
            return 1;
        }
    }
    return 0;
}

/* Whether a drop is in the opening while that lasts; then whether it touches what it must. */
static int in_place(const Tables *game, Position *pos, int p, int q) {
    int size = game->size;
    int side = (p - 1) & 1;
    const int32_t *opens = game->opens + side * size;
    for (int x = 0; x < size; x++) {
        if (opens[x] && !pos->board[x]) {
            return opens[q];
        }
    }
    int beside = !game->beside_own;
    int encloses = game->turning != ENCLOSED;
    const int32_t *body = body_of(game, p);
    for (int x = 0; x < body[0]; x++) {
        beside = beside || is_beside(game, pos, q + body[1 + x], side);
        for (int n = 0; !encloses && n < 8; n++) {
            encloses = row(game, pos, game->rays[8 * (q + body[1 + x]) + n], side);
        }
    }
    return beside && encloses;
}

/* Whether a drop leaves room on either colour for all that is limited on it. */
static int on_colour(const Tables *game, Position *pos, int p, int q) {
    int side = (p - 1) & 1;
    for (int kind = 0; kind < game->kinds; kind++) {
        int limit = game->colour_limit[kind];
        int piece = 1 + 2 * kind + side;
        int left = 0;
        for (int colour = 0, end_colour = limit ? 2 : 0; colour < end_colour; colour++) {
            int there = 0;
            int room = 0;
            for (int x = 0; x < game->size; x++) {
                if ((game->file_of[x] + x / game->files) % 2 == colour) {
                    int stands = pos->board[x] == piece && own_square(game, pos, x) == x;
                    if (stands || (x == q && p == piece)) {
                        there++;
                    } else if (x != q && !pos->board[x]) {
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
        int wanted = pos->hands[side * game->kinds + kind] - (p == piece);
        if (limit && left < wanted) {
            return 0;
        }
    }
    return 1;
}

/* Whether a piece that is dropped on a free square would attack a royal of the other side. */
static int hits_from(const Tables *game, Position *pos, int p, int q) {
    if (!pos->careful) {
        int k = pos->royals[1 - ((p - 1) & 1)];
        int a = aims_of(game, p, q, k);
        return a && attacks_by_branches(game, pos, a, q, k);
    }
    int made = pos->made[q];
    put(game, pos, q, p);
    pos->made[q] = game->starts[q] == p ? DROPPED : UNKNOWN;
    int hit = is_checker(game, pos, q);
    lift(game, pos, q);
    pos->made[q] = made;
    return hit;
}

/* Why the rules for a piece do not let it be dropped on a free square that its ranks allow. */
static int misplaced(const Tables *game, Position *pos, int p, int q) {
    int limit = game->drop_limit[p];
    if (limit && pos->on_file[p * game->files + game->file_of[q]] >= limit) {
        return FULL_FILE;
    }
    int rules = game->drop_check[p];
    int check = rules & (CHECKING | QUIETLY);
    // Where moves have effects that depends on all that a drop changes.
    if (check && !game->effects && hits_from(game, pos, p, q) != (check == CHECKING)) {
        return DROP_CHECK;
    }
    if (rules & IN_PLACE && !in_place(game, pos, p, q)) {
        return DROP_PLACE;
    }
    return rules & ON_COLOUR && !on_colour(game, pos, p, q) ? DROP_COLOUR : LEGAL;
}

/* The squares of one word on which a piece may be dropped by ranks and full files. */
static uint32_t landing(const Tables *game, const Position *pos, int p, int word) {
    int words = game->words;
    uint32_t m = game->drop_squares[words * p + word];
    int limit = game->drop_limit[p];
    if (limit) {
        for (int file = 0; file < game->files; file++) {
            if (pos->on_file[p * game->files + file] >= limit) {
                m &= ~game->file_squares[words * file + word];
            }
        }
    }
    return m;
}

/* Whether a square is free and a piece may be dropped there by its ranks. */
static int is_landing(const Tables *game, Position *pos, int p, int q) {
    return ((game->drop_squares[game->words * p + (q >> 5)] & ~pos->occupied[q >> 5]) >> (q & 31)) &
           1;
}

/* `in_hand` where a form may be put down from two kinds in the hand: it is put down once. */
static RARE int in_hand_once(const Tables *game, const int32_t *hand, int side, int x) {
    int droppable = game->droppable[side];
    int p = game->pool[droppable + 2 + 2 * x];
    for (int y = 0; y < x; y++) {
        if (game->pool[droppable + 2 + 2 * y] == p && hand[game->pool[droppable + 1 + 2 * y]]) {
            return -1;
        }
    }
    return hand[(p - 1) >> 1] ? (p - 1) >> 1 : game->pool[droppable + 1 + 2 * x];
}

/* The kind in hand that is put down by one way to drop; -1 where there is none. */
static inline int in_hand(const Tables *game, const Position *pos, int side, int x) {
    const int32_t *hand = game->endless ? game->unheld : pos->hands + side * game->kinds;
    int kind = game->pool[game->droppable[side] + 1 + 2 * x];
    if (!hand[kind]) {
        return -1;
    }
    return game->two_kinds ? in_hand_once(game, hand, side, x) : kind;
}

/* How many ways to drop the mover has to look at: none where its hand is empty, as it mostly is in the
   beginning. */
static inline int drop_ways(const Tables *game, const Position *pos) {
    int ways = game->pool[game->droppable[pos->side]];
    const int32_t *hand = pos->hands + pos->side * game->kinds;
    int held = game->endless;
    for (int kind = 0, end_kind = ways ? game->kinds : 0; kind < end_kind; kind++) {
        held |= hand[kind];
    }
    return held ? ways : 0;
}

/* Why a drop of the list is not legal, where that depends on all that it changes. */
static int broken_once_made(const Tables *game, Position *pos, int m) {
    int side = pos->side;
    int check = game->drop_check[pos->moves[m].becomes] & (CHECKING | QUIETLY);
    int before = law_broken(game, pos, m, BEFORE);
    int reason = LEGAL;
    make(game, pos, m);
    if (pos->faced && facing(game, pos)) {
        reason = FACING;
    } else if (check && is_checker(game, pos, pos->moves[m].target) != (check == CHECKING)) {
        reason = DROP_CHECK;
    } else {
        reason = before ? before : law_broken(game, pos, m, MADE);
    }
    if (!reason && !game->lenient && is_in_check(game, pos, side)) {
        reason = SELF_CHECK;
    }
    unmake(game, pos, m);
    return reason;
}

/* Leave the legal ones among drops in a list that build walls; the place after the last. */
static int kept(const Tables *game, Position *pos, int first, int end) {
    int at = first;
    int m = first;
    while (m < end) {
        copy_move(pos, m, at);
        int fault = pos->reasons ? pos->reasons[m] : LEGAL;
        at = keep_if_legal(pos, at, fault ? fault : broken_once_made(game, pos, at));
        m++;
    }
    return at;
}

/* Why a drop of the list is not legal by how royals stand after it. */
static int broken(const Tables *game, Position *pos, int m) {
    if (game->effects) {
        return broken_once_made(game, pos, m);
    }
    int opening = is_opening(pos, pos->moves[m].target);
    int reason = law_broken(game, pos, m, BEFORE);
    if (!reason && (has_law(game, MADE) || pos->faced)) {
        make(game, pos, m);
        int faced = pos->faced && facing(game, pos);
        reason = faced ? FACING : law_broken(game, pos, m, MADE);
        unmake(game, pos, m);
    }
    if (!reason && !game->lenient &&
        (pos->checks || opening || game->royal[pos->moves[m].becomes])) {
        reason = tried(game, pos, m) ? LEGAL : SELF_CHECK;
        // Drops are listed while no trail is shown.
        show_trail(game, pos, VACANT);
    }
    return reason;
}

/* Keep the drop written at a place, with all it may build, if legal; the place after. */
static int settled_drop(const Tables *game, Position *pos, int at) {
    if (game->effects || game->endless || game->setting) {
        pos->moves[at].flags = CHANGING;
    }
    if (game->walling && game->walling != LEFT) {
        int end = with_walls(game, pos, at, FREE);
        return kept(game, pos, at, end);
    }
    return keep_if_legal(pos, at, pos->fault ? pos->fault : broken(game, pos, at));
}

/* List the legal drops of a piece, those that mate among them; the place after the last. */
static int drop(const Tables *game, Position *pos, int at, int kind, int p) {
    for (int word = 0; word < game->words; word++) {
        uint32_t m = landing(game, pos, p, word) & ~pos->occupied[word];
        while (m) {
            int q = word * 32 + lowest_bit(m);
            m &= m - 1;
            if (is_large(game, p) && !has_space(game, pos, p, q)) {
                continue;
            }
            if (pos->checks && !is_marked(pos, q) && !pos->hopped) {
                continue;
            }
            if (game->drop_check[p] && misplaced(game, pos, p, q)) {
                continue;
            }
            write(pos, at, game->size, q, p, kind);
            if (pos->careful) {
                at = settled_drop(game, pos, at);
                continue;
            }
            if (pos->checks || (is_marked(pos, q) && pos->hopped)) {
                if (exposes_royal(game, pos, game->size, q, p, 0)) {
                    continue;
                }
            }
            at = behind(pos, at);
        }
    }
    return checked_list_end(game, pos, at);
}

/* List the legal drops, those that mate among them; the place after the last. */
static int list_drops(const Tables *game, Position *pos, int at) {
    int droppable = game->droppable[pos->side];
    for (int x = 0, end_x = drop_ways(game, pos); x < end_x; x++) {
        int kind = in_hand(game, pos, pos->side, x);
        if (kind >= 0) {
            at = drop(game, pos, at, kind, game->pool[droppable + 2 + 2 * x]);
        }
    }
    return at;
}
