// SPDX-License-Identifier: Apache-2.0
#include "engine/record/run_file_name.h"

#include <chrono>
#include <ctime>
#include <string_view>
#include <system_error>

namespace binade::record {

namespace {

std::string plain(const std::string& name) {
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
  std::string result;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (kAllowed.find(name[i]) != std::string_view::npos) {
      result += name[i];
    } else if (i == 0 || kAllowed.find(name[i - 1]) != std::string_view::npos) {
      result += '-';  // once for a run of them
    }
  }
  return result.empty() ? "run" : result;
}

}  // namespace

std::string new_run_file(const std::filesystem::path& folder, const std::string& name) {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm local{};
  localtime_r(&now, &local);
  char stamp[32];
  std::strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &local);
  const std::string stem = plain(name) + "-" + stamp;
  std::filesystem::path file = folder / (stem + ".binade");
  std::error_code unreadable;
  for (int again = 2; std::filesystem::exists(file, unreadable); ++again) {
    file = folder / (stem + "-" + std::to_string(again) + ".binade");
  }
  return file.string();
}

}  // namespace binade::record
