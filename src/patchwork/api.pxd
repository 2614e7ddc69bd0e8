"""The public header, as Cython sees it; every comment stands there."""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t


cdef extern from "patchwork/patchwork.h" nogil:
    const unsigned int PW_ABI

    enum:
        PW_SIDE
        PW_CELLS
        PW_LETTERS
        PW_SPECIAL
        PW_ORIENTATIONS
        PW_MARKET
        PW_PATCH_CELLS
        PW_SPECIALS
        PW_LINE
        PW_NOBODY
        PW_PASS
        PW_SPECIAL_ACTION
        PW_PASS_ACTION
        PW_ACTIONS

    enum:
        PW_GAME_OVER
        PW_NOT_AN_ACTION
        PW_SPECIAL_FIRST
        PW_NO_SPECIAL
        PW_NOT_IN_MARKET
        PW_NO_SUCH_ORIENTATION
        PW_CANNOT_AFFORD
        PW_OFF_THE_BOARD
        PW_OVERLAP
        PW_FITS_NOWHERE

    ctypedef struct pw_mask:
        uint64_t low
        uint64_t high

    ctypedef struct pw_player:
        pw_mask quilt
        int32_t buttons
        uint8_t position
        uint8_t income
        uint8_t zero[2]

    ctypedef struct pw_state:
        pw_player players[2]
        uint16_t edition
        uint8_t mover
        uint8_t waiting
        uint8_t tile_holder
        uint8_t finished_first
        uint8_t line_length
        uint8_t reserve_length
        uint8_t line[56]

    ctypedef struct pw_patch:
        uint64_t shifts[PW_PATCH_CELLS][8]
        uint64_t fits[2][8]
        uint64_t shape[8]
        uint8_t orientation[8]
        uint8_t lane[8]
        uint8_t lanes
        uint8_t cells
        uint8_t cost
        uint8_t time
        uint8_t income
        uint8_t zero[3]

    ctypedef struct pw_edition:
        uint64_t digest
        pw_mask board
        pw_mask centre
        pw_mask squares[PW_CELLS]
        pw_patch patches[PW_LETTERS]
        uint8_t markers_to[256]
        uint8_t specials_to[256]
        uint8_t markers[256]
        uint8_t specials[16]
        int32_t start_buttons
        uint8_t size
        uint8_t final
        uint8_t market
        uint8_t join_at
        uint8_t tile_points
        uint8_t squares_count
        uint8_t zero[2]

    ctypedef struct pw_anchors:
        uint64_t windows[2][8]

    ctypedef struct pw_moves:
        pw_anchors slots[PW_MARKET]
        uint32_t counts[PW_MARKET]
        uint32_t passes
        uint32_t total
        uint8_t letters[4]

    ctypedef struct pw_report:
        pw_mask cells
        int32_t cost
        uint8_t player
        uint8_t bought
        uint8_t letter
        uint8_t slot
        uint8_t joined
        uint8_t placed_special
        uint8_t passed
        uint8_t origin
        uint8_t space
        uint8_t cut_short
        uint8_t income
        uint8_t first_marker
        uint8_t markers
        uint8_t first_special
        uint8_t specials
        uint8_t lost
        uint8_t tile
        uint8_t finished_first
        uint8_t zero[2]

    ctypedef struct pw_random:
        uint64_t counter

    ctypedef struct pw_kernel:
        uint32_t abi
        uint32_t state_size
        const char *name
        void (*start)(const pw_edition *edition, pw_state *state) noexcept nogil
        void (*generate)(
            const pw_edition *edition, const pw_state *state, pw_moves *moves
        ) noexcept nogil
        void (*placements)(
            const pw_edition *edition, const pw_state *state, unsigned int letter,
            pw_moves *moves
        ) noexcept nogil
        unsigned int (*move_at)(
            const pw_edition *edition, const pw_moves *moves, unsigned int k
        ) noexcept nogil
        int (*index_of)(
            const pw_edition *edition, const pw_moves *moves, unsigned int move
        ) noexcept nogil
        unsigned int (*refusals)(
            const pw_edition *edition, const pw_state *state, unsigned int move, pw_mask *cells
        ) noexcept nogil
        unsigned int (*action_refusals)(
            const pw_edition *edition, const pw_state *state, unsigned int action,
            unsigned int *move, pw_mask *cells
        ) noexcept nogil
        int (*action_of)(
            const pw_edition *edition, const pw_state *state, unsigned int move
        ) noexcept nogil
        void (*cells_of)(
            const pw_edition *edition, unsigned int move, pw_mask *cells
        ) noexcept nogil
        void (*apply)(const pw_edition *edition, pw_state *state, unsigned int move) noexcept nogil
        void (*report)(
            const pw_edition *edition, const pw_state *before, const pw_state *after,
            unsigned int move, pw_report *report
        ) noexcept nogil
        int (*points)(
            const pw_edition *edition, const pw_state *state, unsigned int player
        ) noexcept nogil
        unsigned int (*winner)(const pw_edition *edition, const pw_state *state) noexcept nogil
        unsigned int (*playout)(
            const pw_edition *edition, pw_state *state, pw_random *random
        ) noexcept nogil
        uint64_t (*perft)(
            const pw_edition *edition, const pw_state *state, unsigned int depth
        ) noexcept nogil
        uint64_t (*key)(const pw_edition *edition, const pw_state *state) noexcept nogil
        uint64_t (*next)(pw_random *random) noexcept nogil
        uint32_t (*below)(pw_random *random, uint32_t n) noexcept nogil
        uint64_t (*stream)(uint64_t seed, uint64_t i) noexcept nogil
        void (*mask_bytes)(
            const pw_edition *edition, const pw_moves *moves, uint8_t *out
        ) noexcept nogil
        void (*mask_bits)(
            const pw_edition *edition, const pw_moves *moves, uint8_t *out
        ) noexcept nogil
