#include "falcon/roots.hpp"

#include "falcon/zq.hpp"

namespace postern::falcon {

namespace {

/// A number as the unevaluated sum of two doubles, about 106 bits: enough to round every root correctly.
struct Twofold {
    double high = 0;
    double low = 0;
};

constexpr Twofold sum_of(double a, double b) {
    const double s = a + b;
    const double t = s - a;
    return {s, (a - (s - t)) + (b - t)};
}
constexpr Twofold renormalize(double a, double b) {
    const double s = a + b;
    return {s, b - (s - a)};
}
constexpr Twofold product_of(double a, double b) {
    constexpr double splitter = 134217729.0;  // 2^27 + 1
    const double p = a * b;
    const double ta = splitter * a;
    const double a1 = ta - (ta - a);
    const double a0 = a - a1;
    const double tb = splitter * b;
    const double b1 = tb - (tb - b);
    const double b0 = b - b1;
    return {p, ((a1 * b1 - p) + a1 * b0 + a0 * b1) + a0 * b0};
}
constexpr Twofold operator+(Twofold a, Twofold b) {
    Twofold s = sum_of(a.high, b.high);
    const Twofold t = sum_of(a.low, b.low);
    s = renormalize(s.high, s.low + t.high);
    return renormalize(s.high, s.low + t.low);
}
constexpr Twofold operator-(Twofold a) { return {-a.high, -a.low}; }
constexpr Twofold operator*(Twofold a, Twofold b) {
    const Twofold p = product_of(a.high, b.high);
    return renormalize(p.high, p.low + (a.high * b.low + a.low * b.high));
}

struct Complex {
    Twofold re;
    Twofold im;
};
constexpr Complex operator*(Complex a, Complex b) { return {a.re * b.re + -(a.im * b.im), a.re * b.im + a.im * b.re}; }

constexpr Roots make_roots() {
    // exp(i pi / 1024) by its power series; 12 terms leave an error below 2^-130.
    constexpr Twofold pi = {3.141592653589793116, 1.224646799147353207e-16};
    const Twofold x = {pi.high / 1024, pi.low / 1024};
    Complex step{{1, 0}, {0, 0}};
    Twofold term{1, 0};
    for (int k = 1; k <= 14; ++k) {
        // 1/k to twofold precision by one correction.
        const double r = 1.0 / k;
        const Twofold back = product_of(r, k);
        const Twofold inverse = renormalize(r, ((1.0 - back.high) - back.low) / k);
        term = term * x * inverse;
        const Twofold t = (k & 2) != 0 ? -term : term;
        if (k % 2 == 0)
            step.re = step.re + t;
        else
            step.im = step.im + t;
    }
    std::array<Complex, 1024> power{};
    power[0] = {{1, 0}, {0, 0}};
    for (std::size_t k = 1; k < 1024; ++k) power[k] = k % 2 == 1 ? power[k - 1] * step : power[k / 2] * power[k / 2];
    Roots roots;
    for (unsigned k = 0; k < 1024; ++k) {
        const Complex& w = power[bit_reverse(k, 10)];
        roots.re[k] = w.re.high;
        roots.im[k] = w.im.high;
    }
    roots.re[1] = 0;  // exp(i pi / 2)
    return roots;
}

}  // namespace

constexpr Roots kComputed = make_roots();
const Roots kRoots = kComputed;

}  // namespace postern::falcon
