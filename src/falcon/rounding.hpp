#pragma once

#include <cfenv>

namespace postern::falcon {

/// Round to nearest even while it lives, whatever mode the caller runs in; the caller's mode comes back afterwards.
class RoundToNearest {
  public:
    RoundToNearest() noexcept : before_(std::fegetround()) {
        if (before_ != FE_TONEAREST) std::fesetround(FE_TONEAREST);
    }
    ~RoundToNearest() {
        if (before_ != FE_TONEAREST) std::fesetround(before_);
    }
    RoundToNearest(const RoundToNearest&) = delete;
    RoundToNearest& operator=(const RoundToNearest&) = delete;

  private:
    int before_;
};

}  // namespace postern::falcon
