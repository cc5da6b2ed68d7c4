// SPDX-License-Identifier: Apache-2.0
#include "engine/host/print/profile_report.h"

#include "engine/host/print/wire_members.h"
#include "engine/wire/codec.h"
#include "engine/wire/enum_text.h"
#include "engine/words/profile_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace binade::host {

namespace {

using nlohmann::ordered_json;

constexpr std::size_t kShown = 12;
constexpr std::size_t kReasons = 3;

/// Turns NaN into null: in a profile it means "not measured".
void set_unmeasured_to_null(nlohmann::json& value) {
  if (value.is_structured()) {
    for (nlohmann::json& each : value) set_unmeasured_to_null(each);
  } else if (value.is_number_float() && std::isnan(value.get<double>())) {
    value = nullptr;
  }
}

double total(const wire::SiteProfile& site) {
  return site.forward + site.backward + site.accumulate;
}

std::string name_of(int site, const std::vector<std::string>& sites) {
  const auto index = static_cast<std::size_t>(site);
  return index < sites.size() ? sites[index] : std::to_string(site);
}

std::string line(const char* format, auto... values) {
  char text[256];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

/// Returns advice for the longest op calls that have an edit to suggest.
std::string why_not(const std::vector<wire::SiteProfile>& longest, const std::vector<std::string>& sites) {
  std::string text;
  std::size_t told = 0;
  for (const wire::SiteProfile& site : longest) {
    const std::string edit = words::profile_edit(site.verdict);
    if (edit.empty() || told == kReasons) continue;
    text += (told++ == 0 ? "Why no tensor cores:\n  " : "  ") + name_of(site.site, sites) + ": " +
            words::profile_verdict(site) + " " + edit + "\n";
  }
  return text;
}

}  // namespace

ordered_json to_json(const wire::Profile& profile, const std::vector<std::string>& sites) {
  ordered_json object{{"event", "profile"}, {"sites", ordered_json::array()}};
  for (const wire::SiteProfile& site : profile.sites) {
    object["sites"].push_back(
        {{"sentence", words::profile_verdict(site)}, {"edit", words::profile_edit(site.verdict)}});
  }
  nlohmann::json encoded = wire::encode(profile);
  set_unmeasured_to_null(encoded);
  add_wire_members(object, encoded, sites);
  return object;
}

void ProfileReport::add(const wire::Profile& profile) {
  times_ = profile.times;
  curve_ = profile.curve;
  const auto steps = static_cast<double>(profile.steps);
  steps_ += profile.steps;
  seconds_ += steps * profile.step_seconds;
  if (profile.steps > 0) idle_ += steps * profile.idle;
  for (const wire::SiteProfile& site : profile.sites) {
    wire::SiteProfile& sum = sites_[site.site];
    const wire::SiteProfile before = sum;
    sum = site;
    sum.forward = before.forward + steps * site.forward;
    sum.backward = before.backward + steps * site.backward;
    sum.accumulate = before.accumulate + steps * site.accumulate;
    sum.observe = before.observe + steps * site.observe;
  }
}

std::string ProfileReport::text(const std::vector<std::string>& sites, bool ranks) const {
  std::vector<wire::SiteProfile> longest;
  double within = 0, observed = 0;
  for (const auto& [id, site] : sites_) {
    longest.push_back(site);
    within += total(site);
    observed += site.observe;
  }
  std::sort(longest.begin(), longest.end(), [](const auto& a, const auto& b) { return total(a) > total(b); });
  const auto steps = static_cast<double>(steps_);
  std::string text = line("Op calls by time, %lld step%s of %.2f ms. ", static_cast<long long>(steps_),
                          steps_ == 1 ? "" : "s", 1e3 * seconds_ / steps)
                         .append(times_.sentence)
                         .append("\n");
  text += "   forward   backward   share   tensor cores\n";
  for (std::size_t i = 0; i < std::min(kShown, longest.size()); ++i) {
    const wire::SiteProfile& site = longest[i];
    const std::string tensor =
        std::isnan(site.tensor) ? std::string(wire::word(site.verdict.kind)) : line("%.0f %% (estimate)", site.tensor);
    text += line("%7.3f ms %7.3f ms  %5.1f %%  %-18s", 1e3 * site.forward / steps,
                 1e3 * (site.backward + site.accumulate) / steps, seconds_ > 0 ? 100 * total(site) / seconds_ : 0,
                 tensor.c_str());
    text += name_of(site.site, sites) + (site.emulated ? " (emulated)" : "") + "\n";
  }
  if (longest.size() > kShown) text += line("  ... and %zu more\n", longest.size() - kShown);
  const auto share = [this](double seconds) { return seconds_ > 0 ? 100 * std::max(0.0, seconds / seconds_) : 0; };
  if (observed > 0) text += line("%5.1f %% of a step is observation by Binade\n", share(observed));
  const double other = seconds_ - within - observed;
  const char* const what = ranks ? "optimizer, scaler, data, sums over ranks" : "optimizer, scaler, data";
  if (std::isnan(idle_)) {
    text += line("%5.1f %% of a step is other work: %s\n", share(other), what);
  } else {
    text += line("%5.1f %% of a step is other kernels: %s\n", share(other - idle_), what);
    text += line("%5.1f %% of a step the GPU waits for the next launch\n", share(idle_));
  }
  if (curve_.source == "none") {
    text +=
        "Tensor cores were not measured. " + curve_.sentence + (curve_.next.empty() ? "" : " " + curve_.next) + "\n";
  }
  text += why_not(longest, sites);
  return text;
}

}  // namespace binade::host
