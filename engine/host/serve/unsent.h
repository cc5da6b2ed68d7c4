// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace binade::host {

/// Bytes that a pipe has not taken yet. Used on one thread.
class Unsent {
 public:
  void append(std::string_view bytes) { bytes_.append(bytes); }
  std::size_t size() const { return bytes_.size() - sent_; }
  bool empty() const { return size() == 0; }
  void clear();

  /// Writes as much as the pipe takes, which must not make its writer wait. Returns false once nobody reads it.
  bool write_to(int descriptor);

 private:
  std::string bytes_;
  std::size_t sent_ = 0;  ///< bytes at the front that are written: erasing them each time would move all others
};

}  // namespace binade::host
