// SPDX-License-Identifier: Apache-2.0
#include "engine/host/print/run_printer.h"

#include "engine/autocast/matrix_ops.h"
#include "engine/host/print/diagnosis_report.h"
#include "engine/host/print/json_number.h"
#include "engine/host/print/overflow_line.h"
#include "engine/host/print/policy_json.h"
#include "engine/host/print/printed.h"
#include "engine/host/print/rank_report.h"
#include "engine/host/print/silent_report.h"
#include "engine/host/print/wire_members.h"
#include "engine/policy/decide.h"
#include "engine/policy/finding_text.h"
#include "engine/train/device.h"
#include "engine/wire/codec.h"
#include "engine/words/observe_cost_text.h"
#include "engine/words/scale_text.h"

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <set>

namespace binade::host {

namespace {

constexpr int kBarWidth = 24;
constexpr auto kRedraw = std::chrono::milliseconds(100);
constexpr std::int64_t kPrintedSteps = 20;  // of a whole run; more if steps take long
constexpr auto kLongestSilence = std::chrono::seconds(10);

void print_line(const nlohmann::ordered_json& line) {
  print_json(line);
  std::fflush(stdout);
}

/// Returns the decisions of rules for single calls; a policy record holds one decision per op call.
std::vector<policy::Decision> of_single_calls(const wire::RunStarted& started) {
  std::vector<policy::Decision> decisions;
  const policy::Policy& policy = started.policy.policy;
  if (std::none_of(policy.sites.begin(), policy.sites.end(), [](const auto& rule) { return rule.call.has_value(); })) {
    return decisions;
  }
  std::vector<policy::SiteKey> keys;
  for (const wire::SiteInfo& site : started.model.sites) keys.push_back(site.key);
  const auto device = train::capabilities(train::open_device(started.config.device));
  for (const auto& [place, decision] : policy::resolve(policy, keys, device).calls) {
    const std::string& op = keys[static_cast<std::size_t>(place.first)].op;
    if (policy::is_logical(decision) || autocast::is_matrix_op(op)) decisions.push_back(decision);
  }
  return decisions;
}

/// `float8_e4m3fn (gradients float8_e5m2)`: no comma outside brackets, because lists are separated by commas.
std::string in_one_word(const policy::Decision& decision) {
  std::string text = policy::format_text(decision);
  if (const std::size_t comma = text.find(", "); comma != std::string::npos) {
    text.replace(comma, 2, " (").append(")");
  }
  return text;
}

/// Returns the emulated formats that op calls are cast to: `bfloat16, float16`.
std::string emulated_formats(const wire::RunStarted& started) {
  std::set<std::string> names;
  std::vector<policy::Decision> decisions = of_single_calls(started);
  decisions.insert(decisions.end(), started.policy.decisions.begin(), started.policy.decisions.end());
  for (const policy::Decision& decision : decisions) {
    const bool casts =
        decision.kind == policy::Decision::Kind::kFormat || decision.kind == policy::Decision::Kind::kPromote;
    if (casts && decision.execution == policy::Execution::kEmulated) names.insert(in_one_word(decision));
  }
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

/// `19 op calls, 2 of them in the loss`. `inspect` has no loss and lists only the others.
std::string op_calls_text(const std::vector<wire::SiteInfo>& sites) {
  const auto of_loss = [](const wire::SiteInfo& site) {
    return site.key.path == "loss" || site.key.path.starts_with("loss.");
  };
  const auto count = std::count_if(sites.begin(), sites.end(), of_loss);
  return std::to_string(sites.size()) + " op calls, " + std::to_string(count) + " of them in the loss";
}

/// `CPU, 2 threads`; `2 ranks (CPU, 1 thread)`, with the device of rank 0.
std::string place_text(const wire::RunStarted& started) {
  if (started.ranks.empty()) return started.device;
  return std::to_string(started.ranks.size()) + " ranks (" + started.device + ")";
}

std::string seconds_text(std::chrono::steady_clock::duration time) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f s", std::chrono::duration<double>(time).count());
  return text.data();
}

}  // namespace

RunPrinter::RunPrinter(bool json) : json_(json), terminal_(isatty(STDERR_FILENO) != 0) {}

void RunPrinter::take(const wire::StateChanged& change) {
  if (change.state == wire::RunState::kLoading) {
    working_.report("setting up: testing the model on the first batch");
  } else if (change.state == wire::RunState::kRunning) {
    working_.report("step", std::to_string(change.step));
  } else {
    working_.rest();
  }
}

void RunPrinter::take(const wire::RunStarted& started) {
  begun_ = drawn_ = printed_ = Clock::now();
  steps_ = started.config.steps;
  infos_ = started.model.sites;
  for (const wire::SiteInfo& site : infos_) sites_.push_back(site.key.name());
  names_.add(started);
  const auto scalers = wire::scalers_of(started.config);
  scaler_ids_.clear();
  for (const wire::ScalerConfig& each : scalers) scaler_ids_.push_back(each.id);
  scaled_ = std::any_of(scalers.begin(), scalers.end(), [](const auto& scaler) { return scaler.enabled; });
  examines_ = started.config.optimizer.kind == "none";
  observe_ = started.config.observe;
  measures_cost_ = wire::measures_cost(started.config);
  run_file_ = started.run_file;
  const std::string emulated = emulated_formats(started);
  const std::string& checkpoint = started.config.resume;
  if (json_) {
    print_line({{"event", "started"},
                {"name", started.config.name},
                {"model", started.config.model},
                {"device", started.device},
                {"ranks", std::max<std::size_t>(started.ranks.size(), 1)},
                {"execution", emulated.empty() ? "native" : "emulated"},
                {"sites", sites_.size()},
                {"steps", steps_},
                {"first_step", started.policy.step},
                {"resumed_from", checkpoint},
                {"run_file", started.run_file},
                {"caption", started.config.caption}});
    return;
  }
  std::printf("Training %s on %s, %s, %s, %lld %s\n", started.config.model.c_str(), place_text(started).c_str(),
              emulated.empty() ? "native" : (emulated + " emulated (same rounding, speed not measured)").c_str(),
              op_calls_text(started.model.sites).c_str(), static_cast<long long>(steps_),
              steps_ == 1 ? "step" : "steps");
  if (!started.config.caption.empty()) std::printf("%s\n", started.config.caption.c_str());
  if (!checkpoint.empty()) {
    std::printf("Resumed from step %lld of %s\n", static_cast<long long>(started.policy.step), checkpoint.c_str());
  }
  if (!started.run_file.empty()) std::printf("Recording to %s\n", started.run_file.c_str());
  std::fflush(stdout);
}

void RunPrinter::take(const wire::StepRecord& step) {
  ++met_;
  if (!step.stepped) ++skipped_;
  watched_.add(step);
  names_.add(step);
  ranks_.add(step);
  if (step.step + 1 < steps_) {
    working_.report("step", std::to_string(step.step + 1));
  } else {
    working_.report("evaluation");
  }
  if (json_) {
    nlohmann::ordered_json line{{"event", "step"},
                                {"step", step.step},
                                {"loss", json_number(step.loss)},
                                {"scale", json_number(step.scale)},
                                {"found_inf", step.found_inf},
                                {"stepped", step.stepped},
                                {"seconds", step.seconds}};
    for (std::size_t i = 0; i < step.scalers.size(); ++i) {
      line["scalers"].push_back({{"id", scaler_ids_[i]},
                                 {"scale", json_number(step.scalers[i].scale)},
                                 {"found_inf", step.scalers[i].found_inf}});
    }
    print_line(line);
    if (const auto watched = watched_.line(step, sites_); !watched.is_null()) print_line(watched);
  } else if (!print_scales(step)) {
    print_step(step);
  }
  if (terminal_) draw_bar(step);
}

bool RunPrinter::print_scales(const wire::StepRecord& step) {
  std::vector<wire::ScalerStep> all = step.scalers;
  if (all.empty()) all.push_back({step.scale, step.next_scale, step.found_inf});
  bool any = false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].next_scale == all[i].scale) continue;
    any = true;
    clear_bar();
    const std::string whose = all.size() > 1 ? " of \"" + scaler_ids_[i] + "\"" : std::string();
    std::printf("step %lld: scale%s %s -> %s%s\n", static_cast<long long>(step.step), whose.c_str(),
                words::scale_text(all[i].scale).c_str(), words::scale_text(all[i].next_scale).c_str(),
                step.stepped               ? ""
                : std::isfinite(step.loss) ? ", step skipped"
                                           : ", loss not finite, step skipped");
  }
  if (any) std::fflush(stdout);
  return any;
}

void RunPrinter::take(const wire::Event& event) {
  using Kind = wire::Event::Kind;
  if (!json_) {
    const bool ends_the_run = event.kind == Kind::kDiverged || event.kind == Kind::kOutOfMemory;
    if (!ends_the_run) print_event(event);  // those are reported by the error at the end
    return;
  }
  // Silent faults are printed with their report.
  if (event.kind != Kind::kSilent)
    print_line(overflow_line(event, sites_, names_.sentence_of(event), names_.explanation_of(event)));
}

void RunPrinter::print_event(const wire::Event& event) {
  using Kind = wire::Event::Kind;
  const bool said = event.kind == Kind::kGradientOverflow || event.kind == Kind::kForwardOverflow ||
                    event.kind == Kind::kNonFiniteLoss;
  const bool by_design = event.diagnosis && event.diagnosis->verdict == wire::Verdict::kBenign;
  if (event.diagnosis && !event.diagnosis->bundle.empty() &&
      (!replay_step_ || (replay_step_is_harmless_ && !by_design))) {
    replay_step_ = event.step;
    replay_step_is_harmless_ = by_design;
  }
  if (said && (!event.diagnosis || (by_design && !examines_))) return;  // the printed change of scale reports it
  if (is_repeated(event)) return;
  clear_bar();
  const std::string sentence = names_.sentence_of(event);
  if (examines_ && event.diagnosis) {
    std::printf("%s\n%s\n%s", sentence.c_str(), names_.explanation_of(event).c_str(),
                diagnosis_lines(*event.diagnosis, sites_).c_str());
    std::fflush(stdout);
    return;
  }
  std::fprintf(stderr, "warning: %s\n", sentence.c_str());
  if (event.diagnosis) std::fprintf(stderr, "  %s\n", names_.explanation_of(event).c_str());
}

bool RunPrinter::is_repeated(const wire::Event& event) {
  if (!event.diagnosis || event.diagnosis->roots.empty()) return false;
  const wire::Root& root = event.diagnosis->roots.front();
  const std::string cause = wire::name(root.fault) + " " + std::to_string(root.site) + " " + root.what;
  const auto known =
      std::find_if(reported_.begin(), reported_.end(), [&](const auto& each) { return each.first == cause; });
  if (known == reported_.end()) {
    reported_.emplace_back(cause, Repeats{names_.sentence_of(event), 0, event.step});
    return false;
  }
  ++known->second.more;
  known->second.last = event.step;
  // Later diagnoses may have a better fix, and most repeats have none: the newest sentence with a fix is kept.
  if (event.diagnosis->fix.known()) known->second.sentence = names_.sentence_of(event);
  return true;
}

std::string RunPrinter::scale_part(double scale) const {
  return scaled_ ? ", scale " + words::scale_text(scale) : std::string();
}

void RunPrinter::take(const wire::SilentReport& report) {
  if (json_ && report != silent_) print_line(silent_line(report, infos_, observe_.every, all_skipped()));
  silent_ = report;
}

void RunPrinter::take(const wire::Profile& profile) {
  profile_.add(profile);
  if (json_) print_line(to_json(profile, sites_));
}

void RunPrinter::take(const wire::Evaluated& evaluated) {
  if (json_) {
    nlohmann::json encoded = wire::encode(evaluated);
    if (std::isnan(evaluated.accuracy)) encoded.erase("accuracy");
    print_line(wire_line("evaluated", encoded));
    return;
  }
  clear_bar();
  std::printf("after step %lld, on the test data: ", static_cast<long long>(evaluated.step - 1));
  if (!std::isnan(evaluated.accuracy)) std::printf("accuracy %.2f %%, ", evaluated.accuracy * 100);
  std::printf("loss %.4f\n", printed(evaluated.loss));
  std::fflush(stdout);
}

void RunPrinter::take(const wire::ScalerChanged& change) const {
  if (!json_) return;
  print_line(wire_line("scaler", wire::encode(change)));
}

void RunPrinter::take(const wire::CheckpointInfo& saved) {
  if (json_) {
    print_line(wire_line("checkpoint", wire::encode(saved)));
    return;
  }
  clear_bar();
  std::printf("step %lld: checkpoint %s\n", static_cast<long long>(saved.step), saved.file.c_str());
  std::fflush(stdout);
}

void RunPrinter::take(const wire::LogLine& line) {
  clear_bar();
  if (line.level == "progress") {
    std::fprintf(stderr, "%s\n", line.text.c_str());
    return;
  }
  std::fprintf(stderr, "%s: %s\n", line.level.c_str(), line.text.c_str());
}

void RunPrinter::take(const wire::Finished& finished) {
  working_.rest();
  clear_bar();
  if (json_) {
    if (cost_) {
      nlohmann::ordered_json line = wire_line("observing", wire::encode(*cost_));
      line["known"] = wire::is_known(*cost_);
      print_line(line);
    }
    if (ranks_.steps() > 0) print_line({{"event", "ranks"}, {"steps", ranks_.steps()}, {"ranks", ranks_json(ranks_)}});
    print_line(wire_line("finished", wire::encode(finished)));
    return;
  }
  print_end(finished);
}

void RunPrinter::print_end(const wire::Finished& finished) {
  for (const auto& [cause, repeats] : reported_) {
    if (repeats.more == 0) continue;
    std::fprintf(stderr, "warning: at %lld more steps, last at step %lld, for the same cause: %s\n",
                 static_cast<long long>(repeats.more), static_cast<long long>(repeats.last), repeats.sentence.c_str());
  }
  std::printf("%s after %lld %s, %s, and %s to set up\n", wire::name(finished.outcome).c_str(),
              static_cast<long long>(finished.steps), finished.steps == 1 ? "step" : "steps",
              seconds_text(Clock::now() - begun_).c_str(), seconds_text(begun_ - made_).c_str());
  if (skipped_ > 0) {
    std::printf("skipped steps: %lld of %lld\n", static_cast<long long>(skipped_), static_cast<long long>(met_));
  }
  if (finished.outcome == wire::Outcome::kCompleted && !finished.message.empty()) {
    std::fprintf(stderr, "warning: %s\n  %s\n", finished.message.c_str(), finished.hint.c_str());
  }
  if (replay_step_ && !run_file_.empty()) {
    std::printf("`binade-engine replay %s --step %lld` reports why that step was not finite\n", run_file_.c_str(),
                static_cast<long long>(*replay_step_));
  }
  if (cost_ || (measures_cost_ && met_ > 0)) std::printf("%s\n", words::observe_cost_text(cost_).c_str());
  if (ranks_.steps() > 0) std::printf("\n%s\n", ranks_text(ranks_).c_str());
  if (const std::string watched = watched_.text(sites_); !watched.empty()) std::printf("\n%s", watched.c_str());
  if (silent_) std::printf("\n%s", silent_text(*silent_, infos_, observe_.every, all_skipped()).c_str());
  if (!profile_.empty()) std::printf("\n%s", profile_.text(sites_, ranks_.steps() > 0).c_str());
  std::fflush(stdout);
}

/// Prints the first and the last step, and about kPrintedSteps between them.
void RunPrinter::print_step(const wire::StepRecord& step) {
  const auto now = Clock::now();
  const std::int64_t done = step.step + 1;
  const std::int64_t every = std::max<std::int64_t>(steps_ / kPrintedSteps, 1);
  const bool due = step.step == 0 || done % every == 0 || done == steps_ || now - printed_ >= kLongestSilence;
  if (!due) return;
  printed_ = now;
  clear_bar();
  std::printf("step %lld: loss %.4g%s%s\n", static_cast<long long>(step.step), printed(step.loss),
              scale_part(step.scale).c_str(), step.stepped ? "" : ", step skipped");
  std::fflush(stdout);
}

void RunPrinter::draw_bar(const wire::StepRecord& step) {
  const auto now = Clock::now();
  const std::int64_t done = step.step + 1;
  if (now - drawn_ < kRedraw && done < steps_) return;
  drawn_ = now;
  const double seconds = std::chrono::duration<double>(now - begun_).count();
  const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  const double left = rate > 0 ? static_cast<double>(steps_ - done) / rate : 0;
  std::string bar;
  const std::int64_t filled = kBarWidth * done / std::max<std::int64_t>(steps_, 1);
  for (std::int64_t i = 0; i < kBarWidth; ++i) bar += i < filled ? '#' : '.';
  std::fprintf(stderr, "\r[%s] %lld/%lld  %.1f steps/s  %.0f s left  loss %.4f%s   ", bar.c_str(),
               static_cast<long long>(done), static_cast<long long>(steps_), rate, left, printed(step.loss),
               scale_part(step.scale).c_str());
  std::fflush(stderr);
  bar_drawn_ = true;
}

void RunPrinter::clear_bar() {
  if (!bar_drawn_) return;
  std::fprintf(stderr, "\r\033[K");
  std::fflush(stderr);
  bar_drawn_ = false;
}

}  // namespace binade::host
