/* The state of a game of Patchwork, the table of an edition, and the kernel's functions.
 *
 * This is the only definition of these structs: the kernels, the Python classes and programs
 * that embed the engine share it. Check `abi` and `state_size` of the table before any use.
 *
 * Conventions
 *   cell         row * 9 + column, 0..80, from the top left; smaller boards use the top left part.
 *   orientation  0..3 turns the drawing clockwise by 0/90/180/270 degrees, 4..7 mirrors it first.
 *   letter       0..51 stands for A-Z a-z; 33 is h, the special patch.
 *   move         letter * 648 + orientation * 81 + cell of the box's top left corner; 33696 passes.
 *   action       (slot * 8 + orientation) * 81 + cell; 24 * 81 + cell for a special; 2025 passes.
 *   R01 .. R48   the rules, as the documentation numbers them.
 */
#ifndef PATCHWORK_PATCHWORK_H
#define PATCHWORK_PATCHWORK_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PW_ABI 1u

enum {
    PW_SIDE = 9,
    PW_CELLS = 81,
    PW_LETTERS = 52,
    PW_SPECIAL = 33,
    PW_ORIENTATIONS = 8,
    PW_MARKET = 3,
    PW_PATCH_CELLS = 12,
    PW_SPECIALS = 15,
    PW_LINE = 51,
    PW_NOBODY = 2,
    PW_PASS = 33696,
    PW_SPECIAL_ACTION = 1944,
    PW_PASS_ACTION = 2025,
    PW_ACTIONS = 2026
};

/* Why a move is refused; every bit that applies is set, the lowest is the headline. */
enum {
    PW_GAME_OVER = 1 << 0,
    PW_NOT_AN_ACTION = 1 << 1,
    PW_SPECIAL_FIRST = 1 << 2,
    PW_NO_SPECIAL = 1 << 3,
    PW_NOT_IN_MARKET = 1 << 4,
    PW_NO_SUCH_ORIENTATION = 1 << 5,
    PW_CANNOT_AFFORD = 1 << 6,
    PW_OFF_THE_BOARD = 1 << 7,
    PW_OVERLAP = 1 << 8,
    PW_FITS_NOWHERE = 1 << 9
};

/* A set of cells. */
typedef struct pw_mask {
    uint64_t low;  /* cells 0..63 */
    uint64_t high; /* cells 64..80 in bits 0..16 */
} pw_mask;

typedef struct pw_player {
    pw_mask quilt;    /* covered cells */
    int32_t buttons;  /* held, never negative */
    uint8_t position; /* space of the time token */
    uint8_t income;   /* buttons printed on the quilt's patches */
    uint8_t zero[2];
} pw_player;

/* A position, complete by itself. Equal positions have equal bytes. */
typedef struct pw_state {
    pw_player players[2];
    uint16_t edition;       /* index of the table in this process */
    uint8_t mover;          /* 0, 1, or PW_NOBODY when the game is over */
    uint8_t waiting;        /* special patches that the mover has to place now */
    uint8_t tile_holder;    /* 0, 1 or PW_NOBODY */
    uint8_t finished_first; /* 0, 1 or PW_NOBODY */
    uint8_t line_length;    /* patches in line */
    uint8_t reserve_length; /* patches that have not joined the line */
    uint8_t line[56];       /* letters from the neutral token, behind them the reserve, then zeros */
} pw_state;

/* One patch of an edition. A lane is one of its distinct orientations, in rising order; lanes
 * past the last one hold zeros. A window is seven rows of the board as 63 bits: window 0 are
 * rows 0..6 and holds the anchors of rows 0..1, window 1 are rows 2..8 with theirs. */
typedef struct pw_patch {
    uint64_t shifts[PW_PATCH_CELLS][8]; /* [cell][lane] bits from the anchor to the cell; behind an
                                           odd number of cells the last one again */
    uint64_t fits[2][8];                /* [window][lane] anchors that keep the box on the board */
    uint64_t shape[8];                  /* [lane] the cells with the box at cell 0 */
    uint8_t orientation[8];             /* [lane] its orientation number */
    uint8_t lane[8];                    /* [orientation] the lane of the same shape */
    uint8_t lanes;                      /* 1..8, or 0 for a letter that the edition lacks */
    uint8_t cells;                      /* 1..12 */
    uint8_t cost;                       /* buttons */
    uint8_t time;                       /* spaces */
    uint8_t income;                     /* buttons */
    uint8_t zero[3];
} pw_patch;

/* An edition, compiled. Built once, then never changed or freed. */
typedef struct pw_edition {
    uint64_t digest;              /* of the definition, its name included */
    pw_mask board;                /* the cells of the board */
    pw_mask centre;               /* the cells that all squares share */
    pw_mask squares[PW_CELLS];    /* a covered one wins the tile */
    pw_patch patches[PW_LETTERS]; /* by letter, the special patch among them */
    uint8_t markers_to[256];      /* [space] income markers on 1..space */
    uint8_t specials_to[256];     /* [space] special patches on 1..space */
    uint8_t markers[256];         /* their spaces, rising */
    uint8_t specials[16];         /* their spaces, rising */
    int32_t start_buttons;
    uint8_t size;        /* 1..9 cells a side */
    uint8_t final;       /* the last space of the track */
    uint8_t market;      /* patches on offer at a time */
    uint8_t join_at;     /* the reserve joins when the line is this short */
    uint8_t tile_points; /* worth of the special tile */
    uint8_t squares_count; /* 0 without a special tile */
    uint8_t zero[2];
} pw_edition;

/* The anchors of one patch: bit b of window 0 is cell b, of window 1 cell b + 18. */
typedef struct pw_anchors {
    uint64_t windows[2][8]; /* [window][lane] */
} pw_anchors;

/* Every move of a position (or every placement of one patch), unlisted. While a special patch
 * waits, it is the patch of slot 0. */
typedef struct pw_moves {
    pw_anchors slots[PW_MARKET];
    uint32_t counts[PW_MARKET]; /* placements a slot */
    uint32_t passes;            /* 1 if the mover may pass */
    uint32_t total;
    uint8_t letters[4];         /* the patch of a slot, where its count is not 0 */
} pw_moves;

/* What a move has done: the difference of two states in the terms of the rules. */
typedef struct pw_report {
    pw_mask cells;          /* covered by this move */
    int32_t cost;           /* buttons paid for the patch */
    uint8_t player;         /* who moved */
    uint8_t bought;         /* 1 if a patch was bought */
    uint8_t letter;         /* which one */
    uint8_t slot;           /* where it lay */
    uint8_t joined;         /* reserve patches that joined the line (R45) */
    uint8_t placed_special; /* 1 if a special patch was placed (R33) */
    uint8_t passed;         /* 1 if the player passed (R15) */
    uint8_t origin;         /* the token's space before */
    uint8_t space;          /* and after */
    uint8_t cut_short;      /* 1 if the end of the track stopped the token (R17, R27) */
    uint8_t income;         /* buttons a marker */
    uint8_t first_marker;   /* index of the first marker crossed */
    uint8_t markers;        /* how many were crossed */
    uint8_t first_special;  /* index of the first special patch won */
    uint8_t specials;       /* how many were won */
    uint8_t lost;           /* special patches that left the game (R34) */
    uint8_t tile;           /* 1 if the tile was won (R37) */
    uint8_t finished_first; /* 1 if the player is the first on the last space (R41) */
    uint8_t zero[2];
} pw_report;

/* SplitMix64: the counter is all there is. */
typedef struct pw_random {
    uint64_t counter;
} pw_random;

/* The functions over a state. None fails; those that take a move trust that it is legal,
 * except `refusals` and `action_refusals`, which tell. */
typedef struct pw_kernel {
    uint32_t abi;        /* PW_ABI */
    uint32_t state_size; /* sizeof(pw_state) */
    const char *name;    /* "portable" or "avx2" */

    /* Finishes a first position whose line, reserve and start player are set: buttons, nobody
     * on the tile or the end, the reserve joined if that is due at once (R45). */
    void (*start)(const pw_edition *edition, pw_state *state);
    /* Every legal move. */
    void (*generate)(const pw_edition *edition, const pw_state *state, pw_moves *moves);
    /* Every placement of a patch on the mover's quilt, whatever it costs, as slot 0;
     * for PW_SPECIAL every free cell. None when the game is over. */
    void (*placements)(const pw_edition *edition, const pw_state *state, unsigned letter,
                       pw_moves *moves);
    /* The k-th move in the order of action ids, k < total. */
    unsigned (*move_at)(const pw_edition *edition, const pw_moves *moves, unsigned k);
    /* The place of a move in that order, whatever number of its orientation; -1 if it is none. */
    int (*index_of)(const pw_edition *edition, const pw_moves *moves, unsigned move);
    /* The reasons against a move, 0 if it is legal; the guilty cells. */
    unsigned (*refusals)(const pw_edition *edition, const pw_state *state, unsigned move,
                         pw_mask *cells);
    /* The same for an action id below PW_ACTIONS; `move` receives the move it stands for, where
     * its slot holds a patch. */
    unsigned (*action_refusals)(const pw_edition *edition, const pw_state *state, unsigned action,
                                unsigned *move, pw_mask *cells);
    /* The action id of a move, with the lowest orientation number; -1 if its patch is not in the market. */
    int (*action_of)(const pw_edition *edition, const pw_state *state, unsigned move);
    /* The cells that a move covers; none for a pass or a box off the board. */
    void (*cells_of)(const pw_edition *edition, unsigned move, pw_mask *cells);
    /* Plays a legal move. */
    void (*apply)(const pw_edition *edition, pw_state *state, unsigned move);
    /* Tells what a move has done between two states. */
    void (*report)(const pw_edition *edition, const pw_state *before, const pw_state *after,
                   unsigned move, pw_report *report);
    /* The points of a player as if the game ended now; the winner, or PW_NOBODY before the end. */
    int (*points)(const pw_edition *edition, const pw_state *state, unsigned player);
    unsigned (*winner)(const pw_edition *edition, const pw_state *state);
    /* Plays at random to the end; returns the number of plies. */
    unsigned (*playout)(const pw_edition *edition, pw_state *state, pw_random *random);
    /* The number of sequences of exactly `depth` plies. */
    uint64_t (*perft)(const pw_edition *edition, const pw_state *state, unsigned depth);
    /* A 64-bit hash of the position and its edition, the same everywhere. */
    uint64_t (*key)(const pw_edition *edition, const pw_state *state);
    /* The next 64 bits; a uniform number below n (n > 0); the counter of stream i of a seed. */
    uint64_t (*next)(pw_random *random);
    uint32_t (*below)(pw_random *random, uint32_t n);
    uint64_t (*stream)(uint64_t seed, uint64_t i);
    /* Writes the legal mask: 2,026 bytes of 0 or 1, or 256 bytes of bits, the lowest of
     * the first byte for action 0. */
    void (*mask_bytes)(const pw_edition *edition, const pw_moves *moves, uint8_t *out);
    void (*mask_bits)(const pw_edition *edition, const pw_moves *moves, uint8_t *out);
} pw_kernel;

#ifdef __cplusplus
}
#endif

#endif
