// The kernels of the wire form, piece by piece, against plain integers: sampling with refused values, products at the edges of their
// lanes, c t1, four permutations at once, and the library that hashes for other contracts.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <postern/contracts.hpp>
#include <random>
#include <set>

#include "contracts/kernel_bench.hpp"
#include "contracts/mldsa/wire.hpp"
#include "contracts/mldsa/xof_library.hpp"
#include "contracts/model/pack.hpp"
#include "contracts/sponge_quad.hpp"
#include "core/u256.hpp"
#include "hash/keccak_p.hpp"
#include "hash/sha3.hpp"

namespace postern::test {
namespace {

using namespace contracts;
using namespace contracts::mldsa_evm;

Bytes random_bytes(std::mt19937_64& rng, std::size_t n) {
    Bytes b(n);
    for (auto& x : b) x = static_cast<std::uint8_t>(rng());
    return b;
}

evm::ExecutionResult run_code(const Bytes& code, const Bytes& calldata, std::uint64_t value = 0) {
    evm::State state;
    evm::Message m;
    evm::Address to{};
    to[19] = 0x55;
    m.to = to;
    m.from[19] = 0x66;
    m.data = calldata;
    m.value = evm::word(value);
    state.set_balance(m.from, evm::word(value));
    state.set_code(to, code);
    return evm::call(state, m);
}

class Wire : public testing::TestWithParam<std::string> {
  protected:
    WirePlan wire = make_wire_plan(*mldsa::find_scheme(GetParam()));
    const Params& p = wire.plan.p;
    std::mt19937_64 rng{0x3177e};
    bool forward = wire.order == StreamOrder::forward;

    static std::uint64_t point(unsigned n) {
        unsigned r = 0;
        for (unsigned b = 0; b < 8; ++b) r |= ((n >> b) & 1U) << (7 - b);
        return pow_q(static_cast<std::uint64_t>(mldsa::zeta), 2 * r + 1);
    }
    static std::uint64_t evaluate(const model::Poly& f, unsigned n) {
        const std::uint64_t x = point(n);
        std::uint64_t sum = 0;
        for (unsigned i = 256; i-- > 0;) sum = (mul_q(sum, x) + static_cast<std::uint64_t>(model::mod(f[i]))) % q;
        return sum;
    }
    /// The bytes of a stream as they stand in memory.
    Bytes in_memory(const Bytes& stream) const {
        Bytes memory(wire.stream_pitch);
        for (std::size_t b = 0; b < stream.size(); ++b) memory[forward ? b : memory.size() - 1 - b] = stream[b];
        return memory;
    }
    /// Algorithm 14 on a stream; `more` gives further bytes.
    static std::vector<std::uint64_t> sample(Bytes stream, const std::function<Bytes()>& more) {
        std::vector<std::uint64_t> out;
        for (std::size_t at = 0; out.size() < 256; at += 3) {
            while (at + 3 > stream.size()) {
                const Bytes block = more();
                stream.insert(stream.end(), block.begin(), block.end());
            }
            const std::uint64_t v = stream[at] | std::uint64_t{stream[at + 1]} << 8 | std::uint64_t{stream[at + 2] & 0x7fU} << 16;
            if (v < q) out.push_back(v);
        }
        return out;
    }
    struct Outcome {
        std::vector<std::uint64_t> row;
        std::uint64_t gas = 0;
    };
    /// z from its packed form, streams from memory: the row at the points.
    Outcome products(const std::vector<model::Poly>& z, const std::vector<Bytes>& streams, const std::vector<Bytes>& states) {
        std::map<std::uint64_t, Bytes> memory;
        const Plan& plan = wire.plan;
        Bytes calldata = model::pack_z(z, p);
        Bytes row_at(32);
        for (unsigned b = 0; b < 8; ++b) row_at[31 - b] = static_cast<std::uint8_t>(wire.map.streams >> (8 * b));
        if (wire.calls != 0) memory[wire.row_streams()] = row_at;
        // The arrays of z lie over the streams, so these come from calldata afterwards.
        const std::size_t streams_at = calldata.size();
        for (unsigned j = 0; j < p.l; ++j) {
            const Bytes image = in_memory(streams[j]);
            calldata.insert(calldata.end(), image.begin(), image.end());
            Bytes entry = states[j];
            entry.resize(64);
            const std::uint64_t meta = forward ? 24U << 16 | 768U : kXofStreamBytes;
            for (unsigned b = 0; b < 4; ++b) entry[63 - b] = static_cast<std::uint8_t>(meta >> (8 * b));
            memory[wire.map.states + 64ULL * j] = entry;
        }
        Label pass_b, points, repair;
        const Bounds pass_a = pass_a_bounds(plan);
        const KernelRun run = run_kernel(
            plan, calldata, memory,
            [&](Kernel& k) {
                pass_b = k.label(), points = k.label(), repair = k.label();
                // The signature is the beginning of calldata.
                emit_z(k, plan, pass_b);
                Kernel bounds_only("bounds");
                const auto exits = emit_pass_b(bounds_only, plan, bounds_only.label(), {pass_a});
                emit_points(k, wire, points, exits[0]);
                k.push(wire.stream_pitch * p.l);
                k.push(streams_at);
                k.push(wire.map.streams);
                k.op(Op::CALLDATACOPY);
                emit_products(k, wire, repair);
            },
            [&](Kernel& k) {
                emit_pass_b(k, plan, pass_b, {pass_a});
                emit_repair(k, wire, repair, [&](Kernel& x) {
                    if (forward) return emit_counter_refill(x, wire);
                    const auto frame = x.stack();
                    x.push(0);
                    x.push(0);
                    x.terminate(Op::REVERT);
                    x.set_stack(frame);
                });
                k.data(points, points_table(wire));
            });
        Outcome out;
        for (unsigned n = 0; n < 256; ++n) out.row.push_back(load_be(ByteView(run.memory).subspan(wire.map.row + 8 * n, 8)).low64());
        out.gas = run.gas;
        return out;
    }
    void expect_products(const std::vector<model::Poly>& z, const std::vector<Bytes>& streams, const std::string& what) {
        std::vector<Bytes> states(p.l);
        for (auto& s : states) s = random_bytes(rng, 32);
        const Outcome got = products(z, streams, states);
        std::vector<std::vector<std::uint64_t>> a;
        for (unsigned j = 0; j < p.l; ++j) {
            std::uint8_t counter = 24;
            a.push_back(sample(streams[j], [&] {
                Bytes input = states[j];
                input.resize(64);
                input[63] = counter++;
                const auto digest = hash::keccak256(input);
                return Bytes(digest.begin(), digest.end());
            }));
        }
        for (unsigned n = 0; n < 256; ++n) {
            std::uint64_t want = 0;
            for (unsigned j = 0; j < p.l; ++j) want = (want + mul_q(a[j][n], evaluate(z[j], n))) % q;
            want = mul_q(want, static_cast<std::uint64_t>(wire.plan.w1.v));
            ASSERT_EQ(got.row[n] % q, want) << what << ", point " << n;
            ASSERT_LT(got.row[n], std::uint64_t{1} << 56) << what << ", point " << n;
        }
    }
    std::size_t stream_bytes() const { return forward ? 768 : kXofStreamBytes; }
    /// `value` in every field, with a random top bit that does not count.
    Bytes stream_of(const std::function<std::uint64_t()>& value) {
        Bytes s;
        while (s.size() < stream_bytes()) {
            const std::uint64_t v = value();
            s.push_back(static_cast<std::uint8_t>(v));
            s.push_back(static_cast<std::uint8_t>(v >> 8));
            s.push_back(static_cast<std::uint8_t>(v >> 16 | (rng() & 0x80)));
        }
        return s;
    }
    std::vector<model::Poly> z_of(int kind) {
        const auto bound = static_cast<std::int64_t>(p.gamma1 - p.beta) - 1;
        std::vector<model::Poly> z(p.l);
        for (auto& poly : z) {
            for (std::size_t i = 0; i < 256; ++i) {
                if (kind == 0) poly[i] = bound;
                if (kind == 1) poly[i] = -bound;
                if (kind == 2) poly[i] = rng() % 2 == 0 ? bound : -bound;
                if (kind >= 3) poly[i] = static_cast<std::int64_t>(rng() % (2 * static_cast<std::uint64_t>(bound) + 1)) - bound;
            }
        }
        return z;
    }
};

TEST_P(Wire, ProductsAtTheEdges) {
    for (int kind = 0; kind < 4; ++kind) {
        std::vector<Bytes> largest, mixed, any;
        for (unsigned j = 0; j < p.l; ++j) {
            largest.push_back(stream_of([] { return q - 1; }));
            mixed.push_back(stream_of([&] { return rng() % 2 == 0 ? q - 1 : 0; }));
            any.push_back(stream_of([&] { return rng() % q; }));
        }
        expect_products(z_of(kind), largest, "largest a, z " + std::to_string(kind));
        expect_products(z_of(kind), mixed, "0 and q - 1, z " + std::to_string(kind));
        expect_products(z_of(kind), any, "random a, z " + std::to_string(kind));
    }
}

// Refused values anywhere: q itself and 2^23 - 1, the first and the last fields of groups, neighbours, many in one stream.
TEST_P(Wire, RefusedValues) {
    const auto z = z_of(3);
    const auto good = [&] { return rng() % 4 == 0 ? q - 1 : rng() % q; };
    const auto refused = [&] { return rng() % 3 == 0 ? q : rng() % 2 == 0 ? 0x7fffffULL : q + rng() % ((1U << 23) - q); };
    for (int run = 0; run < 14; ++run) {
        std::vector<Bytes> streams;
        for (unsigned j = 0; j < p.l; ++j) {
            std::set<unsigned> places;
            const unsigned count = run < 3 ? 1 : run < 8 ? 4 : 24;
            if (run == 0) places.insert(j * 50 % 256);
            if (run == 1) places.insert(255);
            if (run == 2) places.insert({0, 1, 2, 9, 10, 19, 20, 249, 250, 254, 255});
            while (run > 2 && places.size() < count) places.insert(static_cast<unsigned>(run % 2 == 0 ? 100 + rng() % 30 : rng() % 256));
            unsigned at = 0;
            streams.push_back(stream_of([&] { return places.contains(at++) ? refused() : good(); }));
        }
        expect_products(z, streams, "run " + std::to_string(run));
    }
}

// More refused values than the 24 spare ones of five SHAKE128 blocks: no answer. A counter XOF goes on (above, and here with very many).
TEST_P(Wire, MoreRefusedThanSpare) {
    const auto z = z_of(3);
    for (const unsigned count : {25U, 60U}) {
        std::vector<Bytes> streams;
        for (unsigned j = 0; j < p.l; ++j) {
            unsigned at = 0;
            streams.push_back(stream_of([&] { return j == 1 && at++ < count ? 0x7fffffULL : rng() % q; }));
        }
        if (forward)
            expect_products(z, streams, std::to_string(count) + " refused");
        else
            EXPECT_THROW(products(z, streams, std::vector<Bytes>(p.l, Bytes(32))), std::runtime_error);
    }
}

TEST_P(Wire, ChallengeTimesT1) {
    for (int run = 0; run < 6; ++run) {
        std::vector<int> c(256, 0);
        for (unsigned n = 0; n < p.tau;) {
            const std::size_t at = run < 2 ? n : run == 2 ? 255 - n : rng() % 256;
            if (c[at] != 0) continue;
            c[at] = run == 0 ? 1 : run == 1 || run == 2 ? -1 : rng() % 2 == 0 ? 1 : -1;
            ++n;
        }
        std::vector<std::uint64_t> t(256);
        for (auto& v : t) v = run < 3 ? 1023 : run == 3 ? (rng() % 2 == 0 ? 1023 : 0) : rng() % 1024;
        const unsigned row = static_cast<unsigned>(run) % p.k;
        Bytes key(wire.key_bytes, 0xff);
        std::fill_n(key.begin() + 32 + 320 * row, 320, std::uint8_t{0});
        for (std::size_t i = 0; i < 256; ++i) {
            for (std::size_t b = 0; b < 10; ++b) {
                if (((t[i] >> b) & 1U) != 0) key[32 + 320 * row + (10 * i + b) / 8] |= static_cast<std::uint8_t>(1U << ((10 * i + b) % 8));
            }
        }
        Bytes work(2048);
        for (std::size_t i = 0; i < 256; ++i) work[8 * i + 7] = static_cast<std::uint8_t>(c[i] + 1);
        const KernelRun out = run_kernel(wire.plan, key, {{wire.plan.map.work, work}}, [&](Kernel& k) {
            emit_taps(k, wire);
            k.forget(k.push(row));
            emit_sparse(k, wire);
            k.pop();
        });
        for (std::size_t n = 0; n < 256; ++n) {
            std::int64_t want = static_cast<std::int64_t>(q);
            for (std::size_t j = 0; j < 256; ++j) {
                if (c[j] != 0) want += c[j] * (n >= j ? 1 : -1) * static_cast<std::int64_t>(t[(n + 256 - j) % 256]);
            }
            ASSERT_EQ(load_be(ByteView(out.memory).subspan(wire.map.ct1 + 8 * n, 8)).low64(), static_cast<std::uint64_t>(want))
                << "run " << run << ", coefficient " << n;
        }
    }
}

// SampleInBall from the second block of its stream on, and one block after the other if they are short.
TEST_P(Wire, DrawsGoOnBehindABlock) {
    Overrides overrides;
    overrides.skip_first_block = true;
    overrides.stream_blocks = 1;
    WirePlan one = make_wire_plan(wire.plan.p.scheme[0], overrides);
    std::map<evm::Address, Bytes> accounts;
    if (one.calls != 0) {
        static std::map<unsigned, contracts::Contract> libraries;
        if (!libraries.contains(one.plan.rounds))
            libraries[one.plan.rounds] = build_contract(one.plan.rounds == 24 ? "shake-library" : "turbo-shake-library").value();
        const contracts::Contract& library = libraries[one.plan.rounds];
        one.library = load_be(deterministic_address(library.init));
        accounts[deterministic_address(library.init)] = library.runtime;
    }
    for (int run = 0; run < 5; ++run) {
        const Bytes c_tilde = random_bytes(rng, p.c_tilde);
        Label dead;
        const auto draw = [&](auto hash, Kernel& k) {
            hash.emit_mu(k);
            hash.emit_looped_draws(k);
            return hash;
        };
        const auto execute = [&](auto make) {
            std::function<void(Kernel&)> tail;
            return run_kernel(
                one.plan, c_tilde, {{message_buffer(one.plan) - 1, Bytes{1}}},
                [&](Kernel& k) {
                    const auto hash = draw(make(k), k);
                    tail = [hash](Kernel& x) { hash.emit_routines(x); };
                },
                [&](Kernel& k) {
                    tail(k);
                    if (!dead.valid()) return;
                    k.bind(dead);
                    k.push(0);
                    k.push(0);
                    k.terminate(Op::REVERT);
                },
                accounts);
        };
        const KernelRun out = one.calls == 0 ? execute([&](Kernel& k) { return CounterHash(k, one.plan); }) : execute([&](Kernel& k) {
            dead = k.exit_label();
            return CallHash(k, one, dead);
        });
        Bytes stream;
        if (one.calls == 0) {
            const auto state = hash::keccak256(c_tilde);
            for (unsigned block = 0; block < 40; ++block) {
                Bytes input(state.begin(), state.end());
                input.resize(64);
                input[63] = static_cast<std::uint8_t>(block);
                const auto digest = hash::keccak256(input);
                stream.insert(stream.end(), digest.begin(), digest.end());
            }
        } else {
            stream.resize(40 * 32);
            hash::Shake256 xof;
            xof.absorb(c_tilde);
            xof.squeeze(stream);
        }
        std::vector<int> c(256);
        std::uint64_t signs = load_be(ByteView(stream).first(8)).low64();
        std::size_t at = one.calls == 0 ? 32 : 136;
        for (unsigned i = 256 - p.tau; i < 256; ++i) {
            while (stream[at] > i) ++at;
            const unsigned j = stream[at++], n = i - (256 - p.tau);
            c[i] = c[j];
            c[j] = (signs >> (8 * (7 - n / 8) + n % 8) & 1U) != 0 ? -1 : 1;
        }
        for (std::size_t i = 0; i < 256; ++i) ASSERT_EQ(out.memory[one.plan.map.work + 8 * i + 7], c[i] + 1) << run << " " << i;
    }
}

// Values at the points and back: what comes out times 256 v_1 is what went in.
TEST_P(Wire, LeavesAreTheInverseOfPoints) {
    for (int run = 0; run < 4; ++run) {
        Bytes row;
        std::vector<std::uint64_t> values;
        for (unsigned n = 0; n < 256; ++n) {
            values.push_back(run == 0 ? (std::uint64_t{1} << 56) - 1 : run == 1 && n % 2 == 0 ? 0 : rng() >> 8);
            for (unsigned b = 8; b-- > 0;) row.push_back(static_cast<std::uint8_t>(values.back() >> (8 * b)));
        }
        const auto table = leaf_table(wire);
        const KernelRun out = run_kernel(wire.plan, {}, {{wire.map.row, row}, {wire.map.inverse, Bytes(table.begin(), table.end())}},
                                         [&](Kernel& k) { emit_leaves(k, wire); });
        const std::uint64_t scale = mul_q(256, static_cast<std::uint64_t>(wire.plan.w1.v));
        for (unsigned n = 0; n < 256; ++n) {
            const std::uint64_t x = point(n);
            std::uint64_t sum = 0;
            for (unsigned j = 4; j-- > 0;) {
                const auto lane = load_be(ByteView(out.memory).subspan(wire.plan.map.work - 4 + 32 * (n / 4) + 8 * j, 8)).low64();
                ASSERT_LT(lane, 2 * q);
                sum = (mul_q(sum, x) + lane) % q;
            }
            // A leaf is a quarter of the inverse transform.
            ASSERT_EQ(mul_q(mul_q(sum, scale), inv_q(4)), values[n] % q) << "run " << run << ", point " << n;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Sets, Wire,
                         testing::Values("keccak-ml-dsa-44", "keccak-ml-dsa-65", "keccak-ml-dsa-87", "ml-dsa-44", "ml-dsa-65", "ml-dsa-87"),
                         [](const auto& instance) {
                             std::string name = instance.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST(Quad, PermutesFourStates) {
    std::mt19937_64 rng(44);
    for (const unsigned rounds : {24U, 12U}) {
        Kernel k("quad");
        SpongeQuad quad(0, rounds, 2);
        quad.allocate(k);
        k.push(800);
        k.push(0);
        k.push(0);
        k.op(Op::CALLDATACOPY);
        quad.prepare(k);
        quad.permute(k);
        k.push(800);
        k.push(0);
        k.terminate(Op::RETURN);
        quad.emit_routines(k);
        const Bytes code = codegen::lower(k).assemble().code;
        for (int run = 0; run < 12; ++run) {
            std::array<std::array<std::uint64_t, 25>, 4> states{};
            static constexpr std::uint64_t kEdges[] = {0, 1, 1ULL << 63, ~0ULL};
            for (auto& s : states) {
                for (auto& lane : s) lane = run == 0 ? 0 : run == 1 ? ~0ULL : run < 7 ? kEdges[rng() % 4] : rng();
            }
            const auto interleaved = [&](unsigned lane) {
                U256 w;
                for (unsigned s = 0; s < 4; ++s) {
                    for (unsigned z = 0; z < 64; ++z) {
                        if (((states[s][lane] >> z) & 1U) != 0) w |= U256::pow2(4 * z + s);
                    }
                }
                return SpongeQuad::complemented(lane) ? ~w : w;
            };
            Bytes in;
            for (unsigned lane = 0; lane < 25; ++lane) {
                const auto word = to_be_bytes(interleaved(lane));
                in.insert(in.end(), word.begin(), word.end());
            }
            const auto result = run_code(code, in);
            ASSERT_TRUE(result.success()) << result.reason;
            for (auto& s : states) hash::keccak_p1600(s, rounds);
            for (unsigned lane = 0; lane < 25; ++lane)
                ASSERT_EQ(load_be(ByteView(result.output).subspan(32 * lane, 32)), interleaved(lane))
                    << rounds << " " << run << " " << lane;
        }
    }
}

TEST(Quad, TheProofSeesAWrongRound) {
    for (const bool second : {false, true}) {
        codegen::Block right("round");
        prove_quad_round(right, 0, second, SpongeQuad::build_round(right, 0, second, right.resident("iota")));
        codegen::Block wrong("round");
        const auto iota = SpongeQuad::build_round(wrong, 0, second, wrong.resident("iota"));
        const codegen::Area out{"state", second ? 0 : SpongeQuad::kBuffer, SpongeQuad::kBuffer};
        wrong.store(out, 32 * 7, wrong.load(out, 32 * 7) ^ U256::pow2(255));
        EXPECT_THROW(prove_quad_round(wrong, 0, second, iota), codegen::BoundError);
    }
}

class Library : public testing::TestWithParam<std::string> {
  protected:
    contracts::Contract library = build_contract(GetParam()).value();
    bool turbo = GetParam() != "shake-library";
    std::mt19937_64 rng{5};
    template <class Standard, class Turbo>
    Bytes xof(const Bytes& in, std::size_t size) const {
        Bytes out(size);
        const auto run = [&](auto x) {
            x.absorb(in);
            x.squeeze(out);
        };
        turbo ? run(Turbo()) : run(Standard());
        return out;
    }
};

TEST_P(Library, HashesAnyLength) {
    std::vector<std::size_t> sizes{0, 1, 2, 66, 98, 832, 1312, 3042};
    for (std::size_t n = 130; n < 140; ++n) sizes.insert(sizes.end(), {n, n + 136});
    for (const std::size_t size : sizes) {
        for (const unsigned blocks : {1U, 2U, 5U}) {
            if (blocks != 1 && size > 140) continue;
            const Bytes message = random_bytes(rng, size);
            Bytes data{static_cast<std::uint8_t>(blocks)};
            data.insert(data.end(), message.begin(), message.end());
            const auto result = run_code(library.runtime, data);
            ASSERT_TRUE(result.success()) << result.reason;
            ASSERT_EQ(result.output, (xof<hash::Shake256, hash::TurboShake256>(message, 136 * blocks))) << size << " " << blocks;
        }
    }
}

TEST_P(Library, ExpandsFourStreams) {
    for (int run = 0; run < 4; ++run) {
        Bytes data{0};
        const Bytes rho = run == 0 ? Bytes(32, 0xff) : run == 1 ? Bytes(32) : random_bytes(rng, 32);
        data.insert(data.end(), rho.begin(), rho.end());
        const Bytes pairs = run == 0 ? Bytes(8, 0xff) : random_bytes(rng, 8);
        data.insert(data.end(), pairs.begin(), pairs.end());
        const auto result = run_code(library.runtime, data);
        ASSERT_TRUE(result.success()) << result.reason;
        ASSERT_EQ(result.output.size(), 4U * kXofStream);
        for (std::size_t s = 0; s < 4; ++s) {
            Bytes seed = rho;
            seed.insert(seed.end(), {pairs[2 * s], pairs[2 * s + 1]});
            Bytes want = xof<hash::Shake128, hash::TurboShake128>(seed, kXofStreamBytes);
            std::reverse(want.begin(), want.end());
            EXPECT_TRUE(std::all_of(result.output.begin() + static_cast<std::ptrdiff_t>(kXofStream * s),
                                    result.output.begin() + static_cast<std::ptrdiff_t>(kXofStream * s + 24),
                                    [](auto b) { return b == 0; }));
            EXPECT_TRUE(std::equal(want.begin(), want.end(), result.output.begin() + static_cast<std::ptrdiff_t>(kXofStream * s + 24)))
                << run << " " << s;
        }
    }
}

TEST_P(Library, RefusesEverythingElse) {
    EXPECT_EQ(run_code(library.runtime, {}).status, evm::Status::revert);
    for (const std::size_t size : {1U, 2U, 33U, 40U, 42U, 64U})
        EXPECT_EQ(run_code(library.runtime, Bytes(size)).status, evm::Status::revert);
    EXPECT_EQ(run_code(library.runtime, {1, 2, 3}, 1).status, evm::Status::revert);
}

INSTANTIATE_TEST_SUITE_P(Libraries, Library, testing::Values("shake-library", "turbo-shake-library"),
                         [](const auto& instance) { return instance.param == "shake-library" ? "shake" : "turbo_shake"; });

}  // namespace
}  // namespace postern::test
