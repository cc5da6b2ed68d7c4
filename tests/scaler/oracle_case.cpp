// SPDX-License-Identifier: Apache-2.0
#include "tests/scaler/oracle_case.h"

#include "engine/scaler/grad_scaler.h"
#include "engine/scaler/scales_itself.h"
#include "tests/scaler/oracle_optimizers.h"
#include "tests/scaler/oracle_values.h"
#include "tests/scaler/warnings.h"

#include <c10/util/Exception.h>
#include <torch/optim/optimizer.h>

#include <cmath>
#include <map>
#include <memory>
#include <stdexcept>

namespace binade::test {

using nlohmann::json;
using scaler::Behaviour;
using scaler::GradScaler;

namespace {

scaler::Options optionsOf(const json& init, const std::string& device, Behaviour behaviour) {
  scaler::Options options;
  if (init.contains("init_scale")) options.init_scale = number(init["init_scale"]);
  if (init.contains("growth_factor")) options.growth_factor = number(init["growth_factor"]);
  if (init.contains("backoff_factor")) options.backoff_factor = number(init["backoff_factor"]);
  if (init.contains("growth_interval"))
    options.growth_interval = static_cast<std::int64_t>(number(init["growth_interval"]));
  options.enabled = init.value("enabled", true);
  options.device = c10::Device(device).type();
  options.behaviour = behaviour;
  return options;
}

bool whole(const json& value) {
  return number(value) == std::floor(number(value));
}

/// One case in progress.
class Replay {
 public:
  Replay(const json& recorded, Behaviour behaviour) : device_(recorded.value("device", "cpu")), behaviour_(behaviour) {
    for (const json& parameter : recorded.value("params", json::array())) parameters_.push_back(makeTensor(parameter));
    for (const json& optimizer : recorded.value("optimizers", json::array())) {
      std::vector<at::Tensor> owned;
      for (const int index : optimizer["params"]) owned.push_back(parameters_[index]);
      optimizers_.push_back(makeOptimizer(optimizer, std::move(owned)));
    }
    const WarningsKept warnings;  // "CUDA is not available": see tst_golden.cpp
    scaler_.emplace(optionsOf(recorded["init"], device_, behaviour_));
  }

  /// Does one call; returns what of its result differs from `expect`.
  std::string call(const json& step) {
    const std::string what = step["do"];
    const json& expect = step["expect"];
    if (what == "set_grad") {
      parameters_[step["param"].get<int>()].mutable_grad() =
          step["grad"].is_null() ? at::Tensor() : makeTensor(step["grad"]);
    } else if (what == "mul_grad") {
      parameters_[step["param"].get<int>()].mutable_grad().mul_(number(step["by"]));
    } else if (what == "scale") {
      const c10::IValue scaled = scaler_->scale(makeValue(step["x"]));
      if (expect.contains("out") && !equals(expect["out"], scaled)) return "scaled value";
    } else if (what == "unscale_") {
      scaler_->unscale_(optimizer(step));
    } else if (what == "step") {
      return doStep(step, expect);
    } else if (what == "update") {
      update(step);
    } else if (what == "get") {
      if (expect.contains("value") && !same(get(step["what"]), number(expect["value"]))) return "value";
    } else if (what == "set") {
      set(step["what"], step["value"]);
    } else if (what == "state_dict") {
      return save(step, expect);
    } else if (what == "load_state_dict") {
      scaler_->load_state_dict(step.contains("state") ? dictOf(step["state"]) : saved_.at(step.value("slot", 0)));
    } else if (what == "replace") {
      scaler_.emplace(optionsOf(step["init"], device_, behaviour_));
    } else if (what == "pickle") {
      scaler_ = scaler_->copy();
    } else if (what == "check_inf") {
      const auto found = scaler_->check_inf(optimizer(step));
      if (expect.contains("found_inf") && !sameNumbers(expect["found_inf"], found)) return "found_inf";
    } else if (what == "touch") {
      scaler_->found_inf(optimizer(step));
    } else {
      throw std::logic_error("unknown call " + what);
    }
    return {};
  }

  /// What differs from the state recorded after a call.
  std::string differs(const json& after) const {
    const at::Tensor& scale = scaler_->scale_tensor();
    if (after["scale"].is_null() == scale.defined() ||
        (scale.defined() && !same(scale.item<double>(), number(after["scale"])))) {
      return "scale";
    }
    const at::Tensor& tracker = scaler_->growth_tracker_tensor();
    if (after["tracker"].is_null() == tracker.defined() ||
        (tracker.defined() && tracker.item<std::int64_t>() != after["tracker"].get<std::int64_t>())) {
      return "growth tracker";
    }
    if (!same(scaler_->get_scale(), number(after["get_scale"]))) return "get_scale";
    if (scaler_->get_growth_tracker() != after["get_tracker"].get<int>()) return "growth tracker";
    if (scaler_->is_enabled() != after["enabled"].get<bool>()) return "enabled";
    // What the host believes without waiting is what the device holds.
    if (const auto& known = scaler_->known_state(); known && scale.defined()) {
      if (!same(known->scale, scale.item<double>())) return "known scale";
      if (known->growth_tracker != tracker.item<std::int64_t>()) return "known growth tracker";
    }
    for (std::size_t i = 0; i < optimizers_.size(); ++i) {
      const std::string stage = stageDiffers(after["opt_states"][i], *optimizers_[i]);
      if (!stage.empty()) return stage;
    }
    return tensorsDiffer(after);
  }

 private:
  torch::optim::Optimizer& optimizer(const json& step) { return *optimizers_[step["opt"].get<int>()]; }

  std::string doStep(const json& step, const json& expect) {
    torch::optim::Optimizer& stepped = optimizer(step);
    const GradScaler::LossClosure closure = [] { return at::Tensor(); };
    const auto result = step.contains("closure") ? scaler_->step(stepped, closure) : scaler_->step(stepped);
    if (expect.contains("stepped") && expect["stepped"].get<bool>() != result.stepped) return "stepped";
    if (expect.contains("returned")) {
      if (expect["returned"].is_null() == result.returned.defined()) return "returned";
      if (result.returned.defined() && result.returned.item<int>() != expect["returned"].get<int>()) return "returned";
    }
    if (expect.contains("seen")) {
      const auto seen = seenBy(stepped);
      if (!seen || !expect["seen"].contains("found_inf") ||
          !same(seen->foundInf.value_or(NAN), number(expect["seen"]["found_inf"])) ||
          seen->gradScale.has_value() == expect["seen"]["grad_scale"].is_null() ||
          (seen->gradScale && !same(*seen->gradScale, number(expect["seen"]["grad_scale"])))) {
        return "seen";
      }
    }
    if (const auto* itself = dynamic_cast<scaler::ScalesItself*>(&stepped)) {
      if (itself->grad_scale.defined() || itself->found_inf.defined()) return "attributes left";
    }
    return {};
  }

  void update(const json& step) {
    if (!step.contains("new_scale")) {
      scaler_->update();
    } else if (!step["new_scale"].contains("py")) {
      scaler_->update(makeTensor(step["new_scale"]));
    } else if (step["new_scale"]["py"].is_object()) {
      scaler_->update(step["new_scale"]["py"]["int"].get<std::int64_t>());
    } else {
      scaler_->update(number(step["new_scale"]["py"]));
    }
  }

  double get(const std::string& what) const {
    if (what == "scale") return scaler_->get_scale();
    if (what == "growth_factor") return scaler_->get_growth_factor();
    if (what == "backoff_factor") return scaler_->get_backoff_factor();
    return static_cast<double>(scaler_->get_growth_interval());
  }

  void set(const std::string& what, const json& value) {
    if (what == "growth_factor") {
      scaler_->set_growth_factor(number(value));
    } else if (what == "backoff_factor") {
      scaler_->set_backoff_factor(number(value));
    } else {
      scaler_->set_growth_interval(static_cast<std::int64_t>(number(value)));
    }
  }

  /// A number keeps its kind: 9 and 9.0 are told apart.
  static GradScaler::StateDict dictOf(const json& fields) {
    GradScaler::StateDict dict(c10::StringType::get(), c10::AnyType::get());
    for (const auto& [key, value] : fields.items()) {
      if (value.is_object()) {
        dict.insert(key, value["int"].get<std::int64_t>());
      } else {
        dict.insert(key, number(value));
      }
    }
    return dict;
  }

  std::string save(const json& step, const json& expect) {
    const auto now = scaler_->state_dict();
    saved_.insert_or_assign(step.value("slot", 0), now);
    if (now.size() != expect["keys"].size()) return "state";
    std::size_t i = 0;
    for (const auto& entry : now) {
      const std::string key = entry.key().toStringRef();
      if (expect["keys"][i++].get<std::string>() != key) return "order of the state";
      if (!same(entry.value().toScalar().toDouble(), number(expect["state"][key]))) return "state";
    }
    return {};
  }

  static bool sameNumbers(const json& expected, const std::vector<at::Tensor>& tensors) {
    if (expected.size() != tensors.size()) return false;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      if (!same(tensors[i].item<double>(), number(expected[i]))) return false;
    }
    return true;
  }

  std::string stageDiffers(const json& expected, const torch::optim::Optimizer& optimizer) const {
    const auto stage = scaler_->stage(optimizer);
    if (expected.is_null() || !stage) return expected.is_null() == !stage ? "" : "entry";
    static const std::map<std::string, scaler::Stage> stages = {
        {"READY", scaler::Stage::kReady}, {"UNSCALED", scaler::Stage::kUnscaled}, {"STEPPED", scaler::Stage::kStepped}};
    if (stages.at(expected["stage"].get<std::string>()) != *stage) return "stage";
    return sameNumbers(expected["found_inf"], scaler_->found_inf(optimizer)) ? "" : "found_inf";
  }

  std::string tensorsDiffer(const json& after) const {
    if (!after.contains("grads")) return {};
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      if (!equals(after["grads"][i], parameters_[i].grad())) return "gradient";
      if (!equals(after["params"][i], parameters_[i])) return "parameter";
    }
    if (!after.contains("opt_steps")) return {};
    std::size_t counting = 0;
    for (const auto& optimizer : optimizers_) {
      const auto steps = stepsOf(*optimizer);
      if (steps.empty()) continue;
      const json& expected = after["opt_steps"][counting++];
      for (std::size_t i = 0; i < steps.size(); ++i) {
        if (steps[i] != (expected[i].is_null() ? -1 : number(expected[i]))) return "optimizer's steps";
      }
    }
    return {};
  }

  std::string device_;
  Behaviour behaviour_;
  std::vector<at::Tensor> parameters_;
  std::vector<std::unique_ptr<torch::optim::Optimizer>> optimizers_;
  std::optional<GradScaler> scaler_;
  std::map<int, GradScaler::StateDict> saved_;
};

/// The text of what `action` throws, with the type that Python sees in front; empty where it throws nothing.
template <class Action>
std::string errorOf(const Action& action) {
  try {
    action();
  } catch (const c10::ValueError& thrown) {
    return std::string("ValueError: ") + thrown.what_without_backtrace();
  } catch (const c10::Error& thrown) {
    return thrown.what_without_backtrace();
  } catch (const std::runtime_error& thrown) {  // what c10's scalar conversion throws
    return thrown.what();
  }
  return {};
}

std::string recordedError(const json& expect) {
  if (expect["ok"].get<bool>()) return {};
  const std::string type = expect["error_type"];
  return (type == "ValueError" ? "ValueError: " : "") + expect["error"].get<std::string>();
}

}  // namespace

Replayed replay(const json& recorded, Behaviour behaviour) {
  Replayed result;
  std::optional<Replay> running;
  const auto differ = [&result](std::size_t call, const std::string& what, const std::string& text) {
    result.difference = Difference{call, what, what + ": " + text};
    return result;
  };
  const json& made = recorded["init_expect"];
  const std::string refused = errorOf([&] { running.emplace(recorded, behaviour); });
  if (refused != recordedError(made)) return differ(0, "constructor", "threw '" + refused + "'");
  if (!running) return result;
  for (std::size_t index = 0; index < recorded["calls"].size(); ++index) {
    const json& step = recorded["calls"][index];
    const json& expect = step["expect"];
    const std::string where = "call " + std::to_string(index) + " " + step["do"].get<std::string>();
    ++result.calls;
    std::string mapped = expect["ok"].get<bool>() ? "" : mappedError(step["do"], expect["error_type"], expect["error"]);
    if (step.contains("new_scale") && step["new_scale"].contains("str")) mapped = kRefusedByTheCompiler;
    if (!mapped.empty()) ++result.mapped;
    if (step["do"] == "set" && step["what"] == "growth_interval" && !whole(step["value"])) {
      ++result.mapped;  // what comes after it in the recording cannot come about
      return result;
    }
    std::string unequal;
    if (mapped != kRefusedByTheCompiler) {
      const std::string error = errorOf([&] { unequal = running->call(step); });
      const std::string wanted = mapped.empty() ? recordedError(expect) : mapped;
      if (error != wanted) return differ(index, "error", where + " threw '" + error + "', not '" + wanted + "'");
    }
    if (unequal.empty() && expect.contains("after")) unequal = running->differs(expect["after"]);
    if (!unequal.empty()) return differ(index, unequal, where + ", recorded " + expect.dump());
  }
  return result;
}

}  // namespace binade::test
