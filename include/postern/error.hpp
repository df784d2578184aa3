#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

namespace postern {

/// Why untrusted input was refused: one line, naming what was found and what was expected.
struct Error {
    std::string message;
};

/// A value, or the reason why there is none. Asking for the side that is not there is a programming
/// error and throws std::logic_error.
template <class T>
class [[nodiscard]] Result {
  public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT(google-explicit-constructor)
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(google-explicit-constructor)

    bool has_value() const noexcept { return state_.index() == 0; }
    explicit operator bool() const noexcept { return has_value(); }

    T& value() & { return checked<0>(*this); }
    const T& value() const& { return checked<0>(*this); }
    T&& value() && { return std::move(checked<0>(*this)); }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    const Error& error() const { return checked<1>(*this); }

  private:
    template <std::size_t I, class Self>
    static auto& checked(Self& self) {
        auto* side = std::get_if<I>(&self.state_);
        if (side == nullptr)
            throw std::logic_error(I == 0 ? "Result holds an error: " + std::get<1>(self.state_).message
                                          : std::string("Result holds a value"));
        return *side;
    }
    std::variant<T, Error> state_;
};

/// Success without a value, or a reason.
using Status = Result<std::monostate>;
inline Status ok() { return std::monostate{}; }

}  // namespace postern
