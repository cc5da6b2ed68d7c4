// SPDX-License-Identifier: Apache-2.0
#include "engine/host/headless.h"

#include "engine/train/events.h"

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <set>

namespace binade::host {

namespace {

constexpr int kBarWidth = 24;
constexpr auto kRedraw = std::chrono::milliseconds(100);

/// JSON has no NaN and no infinity: they are written as the strings that strtod reads.
nlohmann::ordered_json number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

void print_line(const nlohmann::ordered_json& line) {
  std::printf("%s\n", line.dump().c_str());
  std::fflush(stdout);
}

/// The formats that op calls are cast to and that run emulated, `bfloat16, float16`.
std::string emulated_formats(const std::vector<policy::Decision>& decisions) {
  std::set<std::string> names;
  for (const policy::Decision& decision : decisions) {
    const bool casts =
        decision.kind == policy::Decision::Kind::kFormat || decision.kind == policy::Decision::Kind::kPromote;
    if (casts && decision.execution == policy::Execution::kEmulated) names.insert(formats::name(decision.format));
  }
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

}  // namespace

Headless::Headless(bool json) : json_(json), terminal_(isatty(STDERR_FILENO) != 0) {}

void Headless::on_started(const wire::RunStarted& started) {
  begun_ = drawn_ = Clock::now();
  steps_ = started.config.steps;
  for (const wire::SiteInfo& site : started.model.sites) sites_.push_back(site.key.name());
  const std::string emulated = emulated_formats(started.policy.decisions);
  if (json_) {
    print_line({{"event", "started"},
                {"name", started.config.name},
                {"model", started.config.model},
                {"device", started.device},
                {"execution", emulated.empty() ? "native" : "emulated"},
                {"sites", sites_.size()},
                {"steps", steps_},
                {"run_file", started.run_file},
                {"caption", started.config.caption}});
    return;
  }
  std::printf("Training %s on %s, %s, %zu op calls, %lld steps\n", started.config.model.c_str(), started.device.c_str(),
              emulated.empty() ? "native" : (emulated + " emulated (same rounding, no speed measured)").c_str(),
              sites_.size(), static_cast<long long>(steps_));
  if (!started.config.caption.empty()) std::printf("%s\n", started.config.caption.c_str());
  if (!started.run_file.empty()) std::printf("Recording to %s\n", started.run_file.c_str());
  std::fflush(stdout);
}

void Headless::on_step(const wire::StepRecord& step) {
  if (json_) {
    print_line({{"event", "step"},
                {"step", step.step},
                {"loss", number(step.loss)},
                {"scale", number(step.scale)},
                {"found_inf", step.found_inf},
                {"stepped", step.stepped},
                {"seconds", step.seconds}});
  } else if (step.next_scale != step.scale) {
    clear_bar();
    std::printf("step %lld: scale %s -> %s%s\n", static_cast<long long>(step.step),
                train::scale_text(step.scale).c_str(), train::scale_text(step.next_scale).c_str(),
                step.stepped ? "" : ", step skipped");
    std::fflush(stdout);
  }
  if (terminal_) draw_bar(step);
}

void Headless::on_event(const wire::Event& event) {
  using Kind = wire::Event::Kind;
  if (!json_) {
    const bool said = event.kind == Kind::kGradientOverflow || event.kind == Kind::kForwardOverflow ||
                      event.kind == Kind::kNonFiniteLoss;
    if (said) return;  // the change of the scale says it
    clear_bar();
    std::fprintf(stderr, "warning: %s\n", event.sentence.c_str());
    return;
  }
  std::set<int> seen;
  nlohmann::ordered_json sites = nlohmann::ordered_json::array();
  for (const wire::EventTensor& tensor : event.tensors) {
    if (seen.insert(tensor.site).second) sites.push_back(sites_.at(static_cast<std::size_t>(tensor.site)));
  }
  print_line({{"event", "overflow"},
              {"step", event.step},
              {"kind", wire::name(event.kind)},
              {"scale", number(event.scale)},
              {"sites", sites},
              {"sentence", event.sentence}});
}

void Headless::on_evaluated(const wire::Evaluated& evaluated) {
  if (json_) {
    print_line({{"event", "evaluated"},
                {"step", evaluated.step},
                {"accuracy", number(evaluated.accuracy)},
                {"loss", number(evaluated.loss)}});
    return;
  }
  clear_bar();
  std::printf("step %lld: accuracy %.2f %% on the test half, loss %.4f\n", static_cast<long long>(evaluated.step),
              evaluated.accuracy * 100, evaluated.loss);
  std::fflush(stdout);
}

void Headless::on_scaler(const wire::ScalerChanged& change) {
  if (!json_) return;
  print_line({{"event", "scaler"}, {"step", change.step}, {"id", change.scaler.id}, {"scale", number(change.scale)}});
}

void Headless::on_checkpoint(const wire::CheckpointInfo& saved) {
  if (json_) {
    print_line({{"event", "checkpoint"},
                {"step", saved.step},
                {"reason", saved.reason},
                {"file", saved.file},
                {"bytes", saved.bytes}});
    return;
  }
  clear_bar();
  std::printf("step %lld: checkpoint %s\n", static_cast<long long>(saved.step), saved.file.c_str());
  std::fflush(stdout);
}

void Headless::on_log(const wire::LogLine& line) {
  clear_bar();
  std::fprintf(stderr, "%s: %s\n", line.level.c_str(), line.text.c_str());
}

void Headless::on_finished(const wire::Finished& finished) {
  clear_bar();
  if (json_) {
    print_line({{"event", "finished"},
                {"outcome", wire::name(finished.outcome)},
                {"steps", finished.steps},
                {"message", finished.message},
                {"hint", finished.hint}});
    return;
  }
  std::printf("%s after %lld steps, %.1f s\n", wire::name(finished.outcome).c_str(),
              static_cast<long long>(finished.steps), std::chrono::duration<double>(Clock::now() - begun_).count());
}

void Headless::draw_bar(const wire::StepRecord& step) {
  const auto now = Clock::now();
  const std::int64_t done = step.step + 1;
  if (now - drawn_ < kRedraw && done < steps_) return;
  drawn_ = now;
  const double seconds = std::chrono::duration<double>(now - begun_).count();
  const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  const double left = rate > 0 ? static_cast<double>(steps_ - done) / rate : 0;
  std::string bar(kBarWidth, '.');
  const auto filled = static_cast<std::size_t>(kBarWidth * done / std::max<std::int64_t>(steps_, 1));
  bar.replace(0, filled, filled, '#');
  std::fprintf(stderr, "\r[%s] %lld/%lld  %.1f steps/s  %.0f s left  loss %.4f  scale %s   ", bar.c_str(),
               static_cast<long long>(done), static_cast<long long>(steps_), rate, left, step.loss,
               train::scale_text(step.scale).c_str());
  std::fflush(stderr);
  bar_drawn_ = true;
}

void Headless::clear_bar() {
  if (!bar_drawn_) return;
  std::fprintf(stderr, "\r\033[K");
  std::fflush(stderr);
  bar_drawn_ = false;
}

}  // namespace binade::host
