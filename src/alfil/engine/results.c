/* How games end other than by mate and the capture of royals: by too few pieces.

   Answers are for the side to move: 1 if it has won, -1 if it has lost, `DRAW`, 0 where the game
   goes on. */

/* Of extinction: how many pieces a side may have left, what it is then for that side (1 it wins, -1
   it loses, `DRAW`), and for each side the list of its lists of kinds that count together. */
enum { LEFT_OVER, MEANT, SORTS };

/* How many pieces of a kind a side has, on the board and in hand. */
static int count_kind(const Tables *game, Position *pos, int side, int kind) {
    int count = pos->hands[side * game->kinds + kind];
    for (int file = 0; file < game->files; file++) {
        count += pos->on_file[(1 + 2 * kind + side) * game->files + file];
    }
    return count;
}

/* How many pieces a side has, on the board and in hand. */
static int count_all(const Tables *game, Position *pos, int side) {
    int count = pos->counts[side];
    for (int kind = 0; kind < game->kinds; kind++) {
        count += pos->hands[side * game->kinds + kind];
    }
    return count;
}

/* 1 more than the side that has too few pieces of some sort, 0 for none.

   The one that moved last is looked at before the other. */
static int too_few(const Tables *game, Position *pos) {
    int rule = game->extinction;
    for (int n = 0, end_n = rule ? 2 : 0; n < end_n; n++) {
        int side = n ? pos->side : 1 - pos->side;
        int sorts = game->pool[rule + SORTS + side];
        for (int x = 0; x < game->pool[sorts]; x++) {
            int kinds = game->pool[sorts + 1 + x];
            int count = 0;
            for (int y = 0; y < game->pool[kinds]; y++) {
                count += count_kind(game, pos, side, game->pool[kinds + 1 + y]);
            }
            if (count <= game->pool[rule + LEFT_OVER]) {
                return side + 1;
            }
        }
    }
    return 0;
}

/* What it means that a side has too few pieces. */
static int extinct(const Tables *game, Position *pos) {
    int found = too_few(game, pos);
    if (!found) {
        return 0;
    }
    int meant = game->pool[game->extinction + MEANT];
    return (meant == DRAW || found == pos->side + 1) ? meant : -meant;
}
