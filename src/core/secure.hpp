#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#ifdef POSTERN_CT_CHECK
#include <valgrind/memcheck.h>
#endif

namespace postern {

/// Overwrites memory with zeros in a way the compiler may not remove.
void secure_wipe(void* data, std::size_t size) noexcept;

template <class T>
requires std::is_trivially_copyable_v<T>
void secure_wipe(T& object) noexcept { secure_wipe(&object, sizeof(T)); }

/// In the constant-time check build the bytes become "undefined": valgrind then reports every branch
/// and every address that depends on them. Elsewhere a no-op.
inline void mark_secret([[maybe_unused]] const void* data, [[maybe_unused]] std::size_t size) noexcept {
#ifdef POSTERN_CT_CHECK
    VALGRIND_MAKE_MEM_UNDEFINED(data, size);
#endif
}

/// The value is public from here on: the one way a secret may reach a branch.
inline void declassify([[maybe_unused]] const void* data, [[maybe_unused]] std::size_t size) noexcept {
#ifdef POSTERN_CT_CHECK
    VALGRIND_MAKE_MEM_DEFINED(data, size);
#endif
}

template <class T>
requires std::is_trivially_copyable_v<T> T declassify(T value)
noexcept {
    declassify(&value, sizeof(T));
    return value;
}

/// The same value, but the compiler knows nothing about it: keeps masks from becoming branches.
template <class T>
requires std::is_integral_v<T> T value_barrier(T v)
noexcept {
    __asm__("" : "+r"(v));
    return v;
}

/// All ones if a == b, else zero; without a branch.
inline std::uint32_t ct_eq_mask(std::uint32_t a, std::uint32_t b) noexcept {
    const std::uint32_t x = value_barrier(a ^ b);
    return ((x | (0U - x)) >> 31) - 1U;
}

/// Compares without leaving early; sizes are public and must be equal to compare equal.
bool ct_equal(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) noexcept;

/// Wipes an object's memory when it goes out of scope.
template <class T>
requires std::is_trivially_copyable_v<T>
class WipeGuard {
  public:
    explicit WipeGuard(T& object) noexcept : object_(object) {}
    ~WipeGuard() { secure_wipe(object_); }
    WipeGuard(const WipeGuard&) = delete;
    WipeGuard& operator=(const WipeGuard&) = delete;

  private:
    T& object_;
};

/// std::vector storage that is wiped before it is freed.
template <class T>
struct WipingAllocator {
    using value_type = T;
    WipingAllocator() = default;
    template <class U>
    WipingAllocator(const WipingAllocator<U>&) noexcept {}  // NOLINT(google-explicit-constructor)
    T* allocate(std::size_t n) { return std::allocator<T>{}.allocate(n); }
    void deallocate(T* p, std::size_t n) noexcept {
        secure_wipe(p, n * sizeof(T));
        std::allocator<T>{}.deallocate(p, n);
    }
    friend bool operator==(const WipingAllocator&, const WipingAllocator&) { return true; }
};
using SecureBytes = std::vector<std::uint8_t, WipingAllocator<std::uint8_t>>;

}  // namespace postern
