#include "contracts/falcon/core.hpp"

#include <array>

#include "codegen/graph.hpp"
#include "contracts/falcon/squares.hpp"

namespace postern::contracts::falcon_evm {

namespace {

using codegen::ScheduleOptions;

constexpr unsigned kLogn = 9;
constexpr Int kQ = static_cast<Int>(q);

/// A larger weight of the stack height keeps constants in reach: fewer bytes, a little more gas.
ScheduleOptions options(unsigned height_weight) {
    ScheduleOptions o;
    o.beam_width = 60;
    o.window = 40;
    o.height_weights = {height_weight};
    return o;
}

/// Resident constants, top first.
class Residents {
  public:
    void add(std::string name, const U256& value) { items_.emplace_back(std::move(name), value); }
    void declare(Block& b) const {
        for (const auto& [name, value] : items_) b.resident(name, value);
    }
    void push(Assembler& a) const {
        for (auto it = items_.rbegin(); it != items_.rend(); ++it) {
            if (it->second == U256::max()) {
                a.push(0);
                a.op(codegen::Op::NOT);
            } else {
                a.push(it->second);
            }
        }
    }
    void pop(Assembler& a) const {
        for (std::size_t i = 0; i < items_.size(); ++i) a.op(codegen::Op::POP);
    }
    std::size_t size() const { return items_.size(); }

  private:
    std::vector<std::pair<std::string, U256>> items_;
};

/// Three forward layers on eight words, strides 4, 2, 1.
void forward_octet(std::array<Word, 8>& w) {
    for (unsigned i = 0; i < 4; ++i) forward_butterfly(w[i], w[i + 4], twiddle(kLogn, 1));
    for (const unsigned i : {0U, 1U, 4U, 5U}) forward_butterfly(w[i], w[i + 2], twiddle(kLogn, 2 + i / 4));
    for (const unsigned i : {0U, 2U, 4U, 6U}) forward_butterfly(w[i], w[i + 1], twiddle(kLogn, 4 + i / 2));
}

}  // namespace

void Core512::schedule(Block& b, unsigned height_weight) { reports_.push_back(codegen::schedule(b, a_, options(height_weight))); }

// s2 + 5q enters the lanes, so that three layers of sums and differences stay positive without further constants.
void Core512::intake() {
    const codegen::RegionScope region(a_, "intake");
    const Area input{"s2", memory_.s2, 1024};
    const Area odd{"first half", memory_.first, 1024}, even{"second half", memory_.second, 1024};
    constexpr std::uint64_t lift = 5 * q;
    const U256 low = splat32(0xffff);
    Residents constants;
    const U256 minus_bias = -splat16(0x7800), below = -splat16(0x7801);
    constants.add("S", kSquareLanes16);
    constants.add("N", U256::max());
    constants.add("below", below);
    constants.add("M", low);
    constants.add("minus bias", minus_bias);
    constants.add("lift", splat16(lift - 0x8000));
    constants.add("sign", splat16(0x8000));
    constants.push(a_);
    a_.begin_region("squares");
    const LaneBounds small = LaneBounds::uniform(16, 16, {0, 4095});
    const LaneBounds wide = lanes32(static_cast<Int>(lift) - 2047, static_cast<Int>(lift) + 2047);
    // Accumulators: flags of numbers out of range, sum of z = s2 + 2048, sum of z^2.
    for (unsigned word = 0; word < 32; ++word) {
        Block b("intake " + std::to_string(word));
        const bool second = word >= 16, full = word % 16 == 15;
        Value range, linear, squares, norm;
        if (word == 16) {
            const auto in = b.entry<2>({"range", "norm"});
            range = in[0];
            norm = in[1];
        } else if (word != 0) {
            std::vector<std::string> names{"range", "linear", "squares"};
            if (second) names.emplace_back("norm");
            const auto in = b.entry(names);
            range = in[0];
            linear = b.declare_input(in[1], LaneBounds::uniform(16, 16, {0, word % 16 * 4095}), "intake");
            squares = b.declare_input(in[2], squares2_bounds(word % 16), "intake");
            if (second) norm = in[3];
        }
        constants.declare(b);
        const std::uint64_t at = 32 * word;
        const Value x = b.load(input, at) ^ splat16(0x8000);
        const Value residue = x + splat16(lift - 0x8000);
        b.store(odd, at, b.declare_input(residue & low, wide, "range of s2"));
        b.store(even, at, b.declare_input((residue >> 16) & low, wide, "range of s2"));
        const Value z = x + minus_bias;
        b.compute(z);
        // z in [1, 4095] in all lanes, or a flag is set: the lowest lane outside sees no borrow.
        const Value flag = z | (x + below);
        range = range.valid() ? range | flag : flag;
        b.compute(range);
        const Value term = b.declare_input(z, small, "range of s2");
        linear = linear.valid() ? linear + term : term;
        b.compute(linear);
        squares = add_squares2(b, squares, z);
        b.compute(squares);
        if (full) {
            const Value sums = b.lanes((b.plain(linear) & low), 32, 8) + b.lanes((b.plain(linear) >> 16) & low, 32, 8);
            const Value sum = mod(b.plain(sums), b.constant(U256::mask(32)));
            const Value total = mod(b.plain(mask_squares(squares)), b.constant(U256::mask(64)));
            const Value part = total + U256{256ULL * 2048 * 2048} - sum * U256{4096};
            norm = norm.valid() ? norm + part : part;
            if (second) {
                b.reject_if(range & splat16(0xf000), reject_);
                b.exit({norm});
            } else {
                b.exit({range, norm});
            }
        } else {
            std::vector<Value> out{range, linear, squares};
            if (norm.valid()) out.push_back(norm);
            b.exit(out);
        }
        schedule(b, 10);
    }
    a_.end_region();
    // [norm][constants] -> [norm]
    a_.swap(static_cast<unsigned>(constants.size()));
    constants.pop(a_);

    // The odd half first; then it is set aside in the room of the point, and the even half takes its place.
    a_.begin_region("layers 1-3");
    const Label again = a_.new_label("transform of a half"), second = a_.new_label("second half transform"),
                done = a_.new_label("halves transformed");
    a_.push_label(second);
    a_.push(low);
    a_.jumpdest(again);
    for (unsigned g = 0; g < 4; ++g) {
        Block b("layers 1-3 " + std::to_string(g));
        b.resident("M", low);
        std::array<Word, 8> words{};
        for (unsigned i = 0; i < 8; ++i) words[i] = {b.declare_input(b.load(odd, 32 * (g + 4 * i)), wide, "intake"), false};
        forward_octet(words);
        for (unsigned i = 0; i < 8; ++i) {
            const Value v = lifted(words[i].v);
            b.store(odd, 32 * (g + 4 * i), v);
            halves_.bounds[g + 4 * i] = v.lanes();
            halves_.negated[g + 4 * i] = words[i].negated;
        }
        schedule(b, 10);
    }
    a_.dup(2);
    a_.op(codegen::Op::JUMP);
    a_.jumpdest(second);
    copy(memory_.point, memory_.first);
    copy(memory_.first, memory_.second);
    a_.push_label(done);
    a_.swap(2);
    a_.op(codegen::Op::POP);
    a_.jump(again);
    a_.jumpdest(done);
    a_.ops({codegen::Op::POP, codegen::Op::POP});
    a_.end_region();
}

void Core512::copy(std::uint64_t to, std::uint64_t from) {
    a_.push(1024);
    a_.push(from);
    a_.push(to);
    a_.op(codegen::Op::MCOPY);
}

void Core512::product() {
    const codegen::RegionScope region(a_, "product");
    const Area even{"even", memory_.first, 1024}, odd{"odd", memory_.point, 1024};
    const Area odd_out{"odd product", memory_.first, 1024}, even_out{"even product", memory_.second, 1024};
    const Area key{"key", memory_.key, 32 * kExpandedWords512};
    const LaneBounds canonical = lanes32(0, kQ - 1);
    Residents constants;
    constants.add("M", splat32(0xffff));
    constants.add("N", U256::max());
    constants.add("L17", splat32(0x1ffff));
    constants.add("L15", splat32(0x7fff));
    constants.add("L4", splat32(15));
    constants.add("3q", splat32(3 * q));
    const Lifts lifts{{3}};
    constants.push(a_);
    const Halves in = halves_;
    for (unsigned m = 0; m < 8; ++m) {
        Block b("leaves " + std::to_string(4 * m));
        constants.declare(b);
        std::array<std::array<Word, 4>, 2> w{};  // [half][leaf]
        for (unsigned half = 0; half < 2; ++half) {
            const Area& from = half == 0 ? even : odd;
            auto& x = w[half];
            for (unsigned r = 0; r < 4; ++r)
                x[r] = {b.declare_input(b.load(from, 32 * (4 * m + r)), in.bounds[4 * m + r], "layers 1-3"), in.negated[4 * m + r]};
            for (unsigned r = 0; r < 2; ++r) forward_butterfly(x[r], x[r + 2], twiddle(kLogn, 8 + m), lifts);
            for (unsigned r = 0; r < 4; r += 2) forward_butterfly(x[r], x[r + 1], twiddle(kLogn, 16 + 2 * m + r / 2), lifts);
            for (Word& word : x) {
                if (word.negated) b.graph().refuse("a leaf with the wrong sign");
                word.v = reduce(lifted(word.v, lifts));
                b.compute(word.v);
            }
            b.phase();
        }
        std::array<std::array<Word, 4>, 2> r{};
        for (unsigned leaf = 0; leaf < 4; ++leaf) {
            const Value e = w[0][leaf].v, o = w[1][leaf].v;
            const Int top = 8 * (e.lanes().max_hi() + o.lanes().max_hi()) * (kQ - 1);
            const std::uint64_t at = 32 * kLeafWords * (4 * m + leaf);
            // One MUL and one MULMOD: x times key word number `pair` modulo y^8 - zeta.
            const auto times = [&](Value x, unsigned pair) {
                const Value d = b.load(key, at + 64 * pair), z = b.declare_input(b.load(key, at + 64 * pair + 32), canonical, "key blob");
                return std::array<Value, 2>{b.plain(x) * d, b.plain(mulmod(x, z, b.constant(U256::max())))};
            };
            const auto sum = [&](std::array<Value, 2> s, std::array<Value, 2> t) {
                const Value v = s[0] + s[1] + t[0] + t[1];
                return b.lemma(v, lanes32(0, top), "leaf product: sixteen products of data and canonical key");
            };
            r[0][leaf] = {montgomery17(sum(times(e, 0), times(o, 1))), false};
            b.compute(r[0][leaf].v);
            r[1][leaf] = {montgomery17(sum(times(e, 2), times(o, 0))), false};
            b.compute(r[1][leaf].v);
        }
        b.phase();
        const bool odd_group = m % 2 != 0;
        for (unsigned half = 0; half < 2; ++half) {
            auto& x = r[half];
            inverse_butterfly(x[0], x[1], twiddle(kLogn, 16 + 2 * m), odd_group, lifts);
            inverse_butterfly(x[2], x[3], twiddle(kLogn, 17 + 2 * m), !odd_group, lifts);
            inverse_butterfly(x[0], x[2], twiddle(kLogn, 8 + m), odd_group, lifts);
            inverse_butterfly(x[1], x[3], twiddle(kLogn, 8 + m), odd_group, lifts);
            // The norm's loop begins with the odd half.
            for (unsigned i = 0; i < 4; ++i) {
                const Value v = lifted(x[i].v, lifts);
                b.store(half == 0 ? even_out : odd_out, 32 * (4 * m + i), v);
                halves_.bounds[4 * m + i] = v.lanes();
                halves_.negated[4 * m + i] = x[i].negated;
            }
            b.phase();
        }
        schedule(b, 50);
    }
    constants.pop(a_);
}

void Core512::norm() {
    const codegen::RegionScope region(a_, "norm");
    const Area half{"half", memory_.first, 1024}, point{"point", memory_.point - 32, 1024 + 64};
    const Label again = a_.new_label("norm of a half"), second = a_.new_label("second half"), end = a_.new_label("norm done");
    const U256 low = splat32(0xffff);
    Residents constants;
    const Lifts lifts{{4}}, offsets{{5}};
    constants.add("M", low);
    constants.add("N", U256::max());
    constants.add("S", kSquareLanes32);
    constants.add("2B", kDoubleCentre);
    constants.add("L4", splat32(15));
    constants.add("D", splat32(kCentre + 5 * q));
    constants.add("4q", splat32(4 * q));
    a_.push_label(second);
    constants.push(a_);
    a_.push(0);
    a_.jumpdest(again);
    for (unsigned g = 0; g < 4; ++g) {
        Block b("inverse layers 3-5 and norm " + std::to_string(g));
        Value total = b.entry({"total"})[0];
        total = b.declare_input(total, total_bounds(16), "norm");
        constants.declare(b);
        std::array<Word, 8> w{};
        for (unsigned i = 0; i < 8; ++i)
            w[i] = {b.declare_input(b.load(half, 32 * (g + 4 * i)), halves_.bounds[g + 4 * i], "product"), halves_.negated[g + 4 * i]};
        for (unsigned i = 0; i < 8; i += 2) inverse_butterfly(w[i], w[i + 1], twiddle(kLogn, 4 + i / 2), (i / 2) % 2 != 0, lifts);
        for (const unsigned i : {0U, 1U, 4U, 5U}) inverse_butterfly(w[i], w[i + 2], twiddle(kLogn, 2 + i / 4), i / 4 != 0, lifts);
        for (unsigned i = 0; i < 4; ++i) inverse_butterfly(w[i], w[i + 4], twiddle(kLogn, 1), std::nullopt, lifts);
        const std::array<unsigned, 8> order{0, 4, 1, 5, 2, 6, 3, 7};
        for (unsigned part = 0; part < 2; ++part) {
            Value sum;
            for (unsigned k = 4 * part; k < 4 * part + 4; ++k) {
                const unsigned i = order[k];
                const Value c = b.declare_input(b.load(point, 32 + 32 * (g + 4 * i)) & low, lanes32(0, 5 * kQ - 1), "sampler");
                const Value z = centred_s1(w[i], c, offsets);
                sum = add_squares1(b, sum, z);
                b.compute(sum);
            }
            total = b.declare_input(add_total(b, total, sum), total_bounds(16), "sixteen groups of a half");
            b.compute(total);
        }
        b.exit({total});
        schedule(b, 50);
    }
    // [total][constants][continuation][norm of s2]
    a_.dup(static_cast<unsigned>(constants.size()) + 2);
    a_.op(codegen::Op::JUMP);
    a_.jumpdest(second);
    copy(memory_.first, memory_.second);
    // The same code sees the even coefficients where the odd ones were.
    copy(memory_.point, memory_.point - 2);
    a_.push_label(end);
    a_.swap(static_cast<unsigned>(constants.size()) + 2);
    a_.op(codegen::Op::POP);
    a_.jump(again);
    a_.jumpdest(end);
    // norm of s2 + 512 B^2 - sum of z (2 B - z)
    a_.push(U256::mask(64));
    a_.swap(1);
    a_.op(codegen::Op::MOD);
    a_.swap(static_cast<unsigned>(constants.size()) + 1);
    a_.op(codegen::Op::POP);
    constants.pop(a_);
    a_.push(512 * kCentre * kCentre);
    a_.op(codegen::Op::SUB);
    a_.op(codegen::Op::ADD);
}

}  // namespace postern::contracts::falcon_evm
