// SPDX-License-Identifier: Apache-2.0
#include "engine/confine/file_names.h"

#include <algorithm>
#include <cstddef>

namespace binade::confine {

namespace {

bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

bool take_number(std::string_view& text) {
  const std::size_t size = std::min(text.find_first_not_of("0123456789"), text.size());
  text.remove_prefix(size);
  return size > 0;
}

}  // namespace

bool is_part_ending(std::string_view ending) {
  return take(ending, ".") && take_number(ending) && take(ending, "-") && take_number(ending) && ending == ".part";
}

bool is_checkpoint_name(std::string_view name) {
  const bool step = take(name, "step-");
  if (!step && !take(name, "edit-") && !take(name, "try-")) return false;
  if (!take_number(name)) return false;
  if (!step && !(take(name, "-r") && take_number(name))) return false;
  return take(name, ".safetensors") && (name.empty() || is_part_ending(name));
}

}  // namespace binade::confine
