// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/iso_date.h"

#include <cstddef>

namespace binade::policy {

bool is_date(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00";
  constexpr std::string_view kOfTime = "0123456789:.+-Z";
  if (text.size() < kForm.size()) return false;
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (kForm[i] == '0' ? !digit : text[i] != '-') return false;
  }
  const int month = (text[5] - '0') * 10 + text[6] - '0';
  const int day = (text[8] - '0') * 10 + text[9] - '0';
  if (month < 1 || month > 12 || day < 1 || day > 31) return false;
  text.remove_prefix(kForm.size());
  return text.empty() || (text[0] == 'T' && text.size() > 1 && text.find_first_not_of(kOfTime, 1) == text.npos);
}

}  // namespace binade::policy
