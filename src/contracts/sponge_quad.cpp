#include "contracts/sponge_quad.hpp"

#include "codegen/symbolic.hpp"
#include "contracts/keccak_chi.hpp"

namespace postern::contracts {

namespace {

using codegen::Area;
using codegen::Block;
using codegen::Value;
using namespace keccak::unpaired;

constexpr auto kRho = keccak::rho_offsets();
constexpr auto kIota = keccak::round_constants();

Value rotated(const Value& v, unsigned r) { return r == 0 ? v : (v << (4 * r)) | (v >> (256 - 4 * r)); }

codegen::ScheduleOptions options() {
    codegen::ScheduleOptions o;
    o.beam_width = 200;
    o.window = 40;
    o.height_weights = {10, 20};
    return o;
}

/// Pairs of index bits (of 8) whose exchanges one after the other turn 4 z + s into 64 s + z.
constexpr std::array<std::pair<unsigned, unsigned>, 6> kExchanges{{{7, 1}, {6, 0}, {5, 1}, {4, 0}, {3, 1}, {2, 0}}};

/// Bits whose index has bit `low` set and bit `high` clear.
U256 exchange_mask(unsigned high, unsigned low) {
    U256 mask;
    for (unsigned i = 0; i < 256; ++i) {
        if ((i >> low & 1U) != 0 && (i >> high & 1U) == 0) mask |= U256::pow2(i);
    }
    return mask;
}

/// Exchanges these bits with those where it is the other way round.
void exchange(Kernel& k, unsigned high, unsigned low) {
    const unsigned distance = (1U << high) - (1U << low);
    const U256 mask = exchange_mask(high, low);
    k.dup(k.top());
    k.with(Op::SHR, distance);
    k.dup_at(1);
    k.op(Op::XOR);
    k.with(Op::AND, mask);
    k.with(Op::MUL, U256{1} | U256::pow2(distance));
    k.op(Op::XOR);
}

}  // namespace

bool SpongeQuad::complemented(unsigned lane) { return keccak::unpaired::complemented(lane); }

U256 SpongeQuad::repeated(std::uint64_t lane) {
    U256 r;
    for (unsigned z = 0; z < 64; ++z) {
        if (((lane >> z) & 1U) != 0) r |= U256{15} << (4 * z);
    }
    return r;
}

void SpongeQuad::push_masks(Kernel& k) {
    for (const auto& [high, low] : kExchanges) k.push(exchange_mask(high, low));
}

void SpongeQuad::separate(Kernel& k) {
    for (const auto& [high, low] : kExchanges) exchange(k, high, low);
}

void SpongeQuad::interleave(Kernel& k) {
    for (auto it = kExchanges.rbegin(); it != kExchanges.rend(); ++it) exchange(k, it->first, it->second);
}

void SpongeQuad::repeat(Kernel& k) {
    // Bit z to bit 4 z by halving runs, then four copies side by side.
    for (unsigned run = 32; run >= 1; run /= 2) {
        U256 mask;
        for (unsigned z = 0; z < 64; ++z) {
            // After this step the runs have `run` bits.
            mask |= U256::pow2(4 * (z / run * run) + z % run);
        }
        k.dup(k.top());
        k.with(Op::SHL, 3 * run);
        k.op(Op::OR);
        k.with(Op::AND, mask);
    }
    k.with(Op::MUL, 15);
}

void SpongeQuad::allocate(Kernel& k) {
    permutation_ = k.label();
    table_label_ = k.label();
}

void SpongeQuad::prepare(Kernel& k) const {
    k.push(32 * rounds_);
    k.push_label(table_label_);
    k.push(memory_ + 2 * kBuffer);
    k.op(Op::CODECOPY);
}

Value SpongeQuad::build_round(Block& b, std::uint64_t memory, bool second, const Value& iota_address) {
    const Area in{"state", memory + (second ? kBuffer : 0), kBuffer}, out{"state", memory + (second ? 0 : kBuffer), kBuffer};
    const Area table{"iota", memory + 2 * kBuffer, 24 * 32};
    b.note("theta");
    std::array<Value, 5> c, d;
    for (unsigned x = 0; x < 5; ++x) {
        c[x] = b.load(in, 32ULL * x);
        for (unsigned y = 1; y < 5; ++y) c[x] = c[x] ^ b.load(in, 32ULL * (x + 5 * y));
    }
    for (const unsigned x : {0U, 1U, 2U, 3U, 4U}) {
        d[x] = c[(x + 4) % 5] ^ rotated(c[(x + 1) % 5], 1);
        b.compute(d[x]);
    }
    Value iota;
    for (const unsigned Y : {0U, 1U, 3U, 4U, 2U}) {
        b.phase();
        b.note("row " + std::to_string(Y));
        const RowPlan plan = plan_row(Y);
        std::array<Value, 5> row;
        for (const unsigned X : {3U, 2U, 1U, 0U, 4U}) {
            const unsigned x = (X + 3 * Y) % 5;
            row[X] = rotated(b.load(in, 32ULL * (x + 5 * X)) ^ d[x], kRho[x + 5 * X]);
            if (plan.invert_b[X]) row[X] = ~row[X];
        }
        for (const unsigned X : {2U, 3U, 4U, 1U, 0U}) {
            const ChiStep& s = plan.step[X];
            Value first = row[(X + 1) % 5], other = row[(X + 2) % 5];
            if (s.invert1) first = ~first;
            if (s.invert2) other = ~other;
            Value v = row[X] ^ (s.use_or ? first | other : first & other);
            if (s.invert_result) v = ~v;
            if (X == 0 && Y == 0) v = v ^ (iota = b.load_at(iota_address, table));
            b.store(out, 32ULL * (X + 5 * Y), v);
        }
    }
    return iota;
}

void prove_quad_round(Block& b, std::uint64_t memory, bool second, const Value& iota) {
    using codegen::Bit;
    codegen::BitAlgebra a;
    codegen::SymbolicRun run(a);
    const std::uint64_t from = memory + (second ? SpongeQuad::kBuffer : 0), to = memory + (second ? 0 : SpongeQuad::kBuffer);
    using Word = codegen::SymbolicWord;
    std::array<Word, 25> in;
    for (std::uint32_t lane = 0; lane < 25; ++lane) {
        Word stored;
        for (std::uint32_t i = 0; i < 256; ++i) {
            in[lane][i] = a.input(256 * lane + i);
            stored[i] = SpongeQuad::complemented(lane) ? a.not_of(in[lane][i]) : in[lane][i];
        }
        run.set_memory(from + 32ULL * lane, stored);
    }
    Word rc, constant;
    for (std::uint32_t i = 0; i < 256; ++i) {
        rc[i] = a.input(256 * 25 + i);
        constant[i] = iota_inverts() ? a.not_of(rc[i]) : rc[i];
    }
    run.assume(iota, constant);
    run.run(b);
    // FIPS 202 section 3.2 for the bits of each state: z is i / 4.
    std::array<Word, 5> c;
    std::array<Word, 25> rotated_in;
    for (unsigned x = 0; x < 5; ++x) {
        for (unsigned i = 0; i < 256; ++i) {
            c[x][i] = in[x][i];
            for (unsigned y = 1; y < 5; ++y) c[x][i] = a.xor_of(c[x][i], in[x + 5 * y][i]);
        }
    }
    for (unsigned x = 0; x < 5; ++x) {
        for (unsigned y = 0; y < 5; ++y) {
            for (unsigned i = 0; i < 256; ++i) {
                const Bit d = a.xor_of(c[(x + 4) % 5][i], c[(x + 1) % 5][(i + 252) % 256]);
                rotated_in[y + 5 * ((2 * x + 3 * y) % 5)][(i + 4 * kRho[x + 5 * y]) % 256] = a.xor_of(in[x + 5 * y][i], d);
            }
        }
    }
    for (unsigned lane = 0; lane < 25; ++lane) {
        const unsigned x = lane % 5, row = lane - x;
        const Word got = run.memory(to + 32ULL * lane);
        for (unsigned i = 0; i < 256; ++i) {
            Bit want =
                a.xor_of(rotated_in[lane][i], a.and_of(a.not_of(rotated_in[row + (x + 1) % 5][i]), rotated_in[row + (x + 2) % 5][i]));
            if (lane == 0) want = a.xor_of(want, rc[i]);
            if (SpongeQuad::complemented(lane)) want = a.not_of(want);
            if (got[i] != want)
                throw codegen::BoundError("kernel " + b.name() + ": bit " + std::to_string(i) + " of lane " + std::to_string(lane) +
                                          " is not the round function");
        }
    }
}

void SpongeQuad::emit_routines(Kernel& k) {
    k.check(unroll_ % 2 == 0 && rounds_ % unroll_ == 0, "rounds do not divide");
    k.rename("keccak x4");
    k.set_stack({});
    k.argument();
    k.bind(permutation_);
    k.begin_region("keccak x4");
    k.forget(k.push(memory_ + 2 * kBuffer));
    const Label body = k.label();
    k.bind(body);
    k.native([memory = memory_, unroll = unroll_](codegen::Assembler& a) {
        for (unsigned r = 0; r < unroll; ++r) {
            const bool second = r % 2 == 1;
            Block round(second ? "keccak x4 round B" : "keccak x4 round A");
            const Value pointer = round.resident("iota");
            const Value iota = build_round(round, memory, second, r == 0 ? pointer : pointer + 32 * r);
            if (r < 2) prove_quad_round(round, memory, second, iota);
            codegen::schedule(round, a, options());
        }
    });
    k.with(Op::ADD, 32 * unroll_);
    k.dup(k.top());
    k.with(Op::XOR, memory_ + size(rounds_));
    k.jumpi(body);
    k.pop();
    k.jump_dynamic();
    k.end_region();
    std::vector<std::uint8_t> bytes;
    for (unsigned r = 0; r < rounds_; ++r) {
        const U256 constant = repeated(kIota[24 - rounds_ + r]);
        const auto word = to_be_bytes(iota_inverts() ? ~constant : constant);
        bytes.insert(bytes.end(), word.begin(), word.end());
    }
    k.data(table_label_, bytes);
}

}  // namespace postern::contracts
