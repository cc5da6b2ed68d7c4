// SPDX-License-Identifier: Apache-2.0
#include "tests/scaler/oracle_case.h"

#include "engine/scaler/grad_scaler.h"
#include "tests/scaler/sgd.h"

#include <ATen/ops/equal.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/sparse_coo_tensor.h>
#include <ATen/ops/view_as_complex.h>
#include <c10/util/Exception.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>

namespace binade::test {

using nlohmann::json;
using scaler::GradScaler;

namespace {

double number(const json& value) {
  if (value.is_object()) return value["int"].get<double>();
  if (value.is_number()) return value.get<double>();
  return std::strtod(value.get<std::string>().c_str(), nullptr);
}

bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

at::ScalarType dtype(const json& tensor) {
  static const std::map<std::string, at::ScalarType> types = {
      {"float32", at::kFloat}, {"float16", at::kHalf}, {"bfloat16", at::kBFloat16},     {"float64", at::kDouble},
      {"int64", at::kLong},    {"int32", at::kInt},    {"complex64", at::kComplexFloat}};
  return types.at(tensor["dtype"].get<std::string>());
}

void append(const json& values, std::vector<double>& to) {
  for (const json& value : values) {
    if (value.is_array()) {
      append(value, to);
    } else {
      to.push_back(number(value));
    }
  }
}

at::Tensor flat(const json& values, at::ScalarType type) {
  std::vector<double> numbers;
  append(values, numbers);
  at::Tensor tensor = at::from_blob(numbers.data(), {static_cast<std::int64_t>(numbers.size())}, at::kDouble).clone();
  if (c10::isComplexType(type)) tensor = at::view_as_complex(tensor.reshape({-1, 2}));
  return tensor.to(type);
}

at::Tensor make(const json& tensor) {
  const auto shape = tensor["shape"].get<std::vector<std::int64_t>>();
  at::Tensor made;
  if (tensor.contains("sparse")) {
    const json& sparse = tensor["sparse"];
    const auto rows = static_cast<std::int64_t>(sparse["indices"].size());
    made = at::sparse_coo_tensor(flat(sparse["indices"], at::kLong).reshape({rows, -1}),
                                 flat(sparse["values"], dtype(tensor)), shape);
    if (sparse["coalesced"].get<bool>()) made = made.coalesce();
  } else {
    made = flat(tensor["values"], dtype(tensor)).reshape(shape);
  }
  return made.set_requires_grad(tensor.value("requires_grad", false));
}

bool same_values(const at::Tensor& a, const at::Tensor& b) {
  const at::Tensor x = a.detach().to(at::kDouble).flatten().contiguous();
  const at::Tensor y = b.detach().to(at::kDouble).flatten().contiguous();
  for (std::int64_t i = 0; i < x.numel(); ++i) {
    if (!same(x.const_data_ptr<double>()[i], y.const_data_ptr<double>()[i])) return false;
  }
  return true;
}

bool equals(const json& expected, const at::Tensor& tensor) {
  if (expected.is_null()) return !tensor.defined();
  if (!tensor.defined()) return false;
  const at::Tensor wanted = make(expected);
  if (tensor.scalar_type() != wanted.scalar_type() || tensor.sizes() != wanted.sizes()) return false;
  if (tensor.is_sparse()) {
    return tensor._indices().equal(wanted._indices()) && same_values(tensor._values(), wanted._values());
  }
  return tensor.is_complex() ? tensor.equal(wanted) : same_values(tensor, wanted);
}

scaler::Options options(const json& init) {
  scaler::Options options;
  if (init.contains("init_scale")) options.init_scale = number(init["init_scale"]);
  if (init.contains("growth_factor")) options.growth_factor = number(init["growth_factor"]);
  if (init.contains("backoff_factor")) options.backoff_factor = number(init["backoff_factor"]);
  if (init.contains("growth_interval"))
    options.growth_interval = static_cast<std::int64_t>(number(init["growth_interval"]));
  options.enabled = init.value("enabled", true);
  return options;
}

/// One case in progress.
class Replay {
 public:
  explicit Replay(const json& recorded) {
    for (const json& parameter : recorded.value("params", json::array())) parameters_.push_back(make(parameter));
    for (const json& optimizer : recorded.value("optimizers", json::array())) {
      std::vector<at::Tensor> owned;
      for (const int index : optimizer["params"]) owned.push_back(parameters_[index]);
      optimizers_.push_back(std::make_unique<PlainSgd>(std::move(owned), number(optimizer["lr"])));
    }
    scaler_.emplace(options(recorded["init"]));
  }

  /// Does one call; returns what it gave that differs from `expect`.
  std::string call(const json& step) {
    const std::string what = step["do"];
    const json& expect = step["expect"];
    if (what == "set_grad") {
      parameters_[step["param"].get<int>()].mutable_grad() = step["grad"].is_null() ? at::Tensor() : make(step["grad"]);
    } else if (what == "mul_grad") {
      parameters_[step["param"].get<int>()].mutable_grad().mul_(number(step["by"]));
    } else if (what == "scale") {
      return scale(step["x"], expect.value("out", json()));
    } else if (what == "unscale_") {
      scaler_->unscale_(optimizer(step));
    } else if (what == "step") {
      const auto result = scaler_->step(optimizer(step));
      if (expect.contains("stepped") && expect["stepped"].get<bool>() != result.stepped) return "stepped";
      if (expect.contains("returned") && expect["returned"].is_number() &&
          expect["returned"].get<int>() != optimizer(step).steps) {
        return "number of optimizer steps";
      }
    } else if (what == "update") {
      update(step);
    } else if (what == "get") {
      if (expect.contains("value") && !same(get(step["what"]), number(expect["value"]))) return "get";
    } else if (what == "set") {
      set(step["what"], number(step["value"]));
    } else if (what == "state_dict") {
      return save(step, expect);
    } else if (what == "load_state_dict") {
      scaler_->load_state(step.contains("state") ? state(step["state"]) : saved_[step.value("slot", 0)]);
    } else if (what == "replace") {
      scaler_.emplace(options(step["init"]));
    } else if (what == "pickle") {
      scaler_ = scaler_->copy();
    } else {
      return "unknown call " + what;
    }
    return {};
  }

  /// What differs from the state recorded after a call.
  std::string differences(const json& after) const {
    std::string found;
    const at::Tensor& scale = scaler_->scale_tensor();
    if (after["scale"].is_null() == scale.defined() ||
        (scale.defined() && !same(scale.item<double>(), number(after["scale"])))) {
      found += " scale";
    }
    if (!same(scaler_->get_scale(), number(after["get_scale"]))) found += " get_scale";
    if (scaler_->get_growth_tracker() != after["get_tracker"].get<int>()) found += " growth tracker";
    if (scaler_->is_enabled() != after["enabled"].get<bool>()) found += " enabled";
    for (std::size_t i = 0; i < optimizers_.size(); ++i)
      found += stage_differences(after["opt_states"][i], *optimizers_[i]);
    if (after.contains("grads")) {
      for (std::size_t i = 0; i < parameters_.size(); ++i) {
        if (!equals(after["grads"][i], parameters_[i].grad())) found += " gradient " + std::to_string(i);
        if (!equals(after["params"][i], parameters_[i])) found += " parameter " + std::to_string(i);
      }
    }
    return found;
  }

 private:
  PlainSgd& optimizer(const json& step) { return *optimizers_[step["opt"].get<int>()]; }

  std::string scale(const json& x, const json& out) {
    if (x.is_object() && x.contains("tuple")) return scale(x["tuple"], out.is_object() ? out["tuple"] : out);
    if (x.is_object()) return equals(out, scaler_->scale(make(x))) ? "" : "scaled value";
    std::vector<at::Tensor> tensors;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x[i].is_object() && x[i].contains("dtype")) {
        tensors.push_back(make(x[i]));
      } else if (const std::string found = scale(x[i], out[i]); !found.empty()) {
        return found;  // C++ has no nested list: the inner one goes through the same call
      }
    }
    const auto scaled = scaler_->scale(tensors);
    for (std::size_t i = 0, k = 0; i < x.size(); ++i) {
      if (x[i].is_object() && x[i].contains("dtype") && !equals(out[i], scaled[k++])) return "scaled value";
    }
    return {};
  }

  void update(const json& step) {
    if (!step.contains("new_scale")) {
      scaler_->update();
    } else if (step["new_scale"].contains("py")) {
      scaler_->update(number(step["new_scale"]["py"]));
    } else {
      scaler_->update(make(step["new_scale"]));
    }
  }

  double get(const std::string& what) const {
    if (what == "scale") return scaler_->get_scale();
    if (what == "growth_factor") return scaler_->get_growth_factor();
    if (what == "backoff_factor") return scaler_->get_backoff_factor();
    return static_cast<double>(scaler_->get_growth_interval());
  }

  void set(const std::string& what, double value) {
    if (what == "growth_factor") {
      scaler_->set_growth_factor(value);
    } else if (what == "backoff_factor") {
      scaler_->set_backoff_factor(value);
    } else {
      scaler_->set_growth_interval(static_cast<std::int64_t>(value));
    }
  }

  static std::optional<scaler::State> state(const json& fields) {
    if (fields.empty()) return std::nullopt;
    return scaler::State{number(fields["scale"]), number(fields["growth_factor"]), number(fields["backoff_factor"]),
                         static_cast<std::int64_t>(number(fields["growth_interval"])),
                         static_cast<std::int64_t>(number(fields["_growth_tracker"]))};
  }

  std::string save(const json& step, const json& expect) {
    const auto now = scaler_->state();
    saved_[step.value("slot", 0)] = now;
    const auto wanted = state(expect["state"]);
    if (now.has_value() != wanted.has_value()) return "state";
    if (!now) return {};
    const bool equal = same(now->scale, wanted->scale) && same(now->growth_factor, wanted->growth_factor) &&
                       same(now->backoff_factor, wanted->backoff_factor) &&
                       now->growth_interval == wanted->growth_interval && now->growth_tracker == wanted->growth_tracker;
    return equal ? "" : "state";
  }

  std::string stage_differences(const json& expected, const PlainSgd& optimizer) const {
    const auto stage = scaler_->stage(optimizer);
    if (expected.is_null() || !stage) return expected.is_null() == !stage ? "" : " entry";
    static const std::map<std::string, scaler::Stage> stages = {
        {"READY", scaler::Stage::kReady}, {"UNSCALED", scaler::Stage::kUnscaled}, {"STEPPED", scaler::Stage::kStepped}};
    if (stages.at(expected["stage"].get<std::string>()) != *stage) return " stage";
    const auto found = scaler_->found_inf(optimizer);
    if (found.size() != expected["found_inf"].size()) return " found_inf entries";
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (!same(found[i].item<double>(), number(expected["found_inf"][i]))) return " found_inf";
    }
    return {};
  }

  std::vector<at::Tensor> parameters_;
  std::vector<std::unique_ptr<PlainSgd>> optimizers_;
  std::optional<GradScaler> scaler_;
  std::map<int, std::optional<scaler::State>> saved_;
};

bool whole(const json& value) {
  return number(value) == std::floor(number(value));
}

}  // namespace

std::string whySkipped(const json& recorded) {
  if (recorded.value("device", "cpu") != "cpu") return "upstream's device string and its fallback to disabled";
  for (const json& optimizer : recorded.value("optimizers", json::array())) {
    if (optimizer["kind"] != "sgd") return "optimizers that unscale by themselves";
  }
  const json& init = recorded["init"];
  if (init.contains("growth_interval") && !whole(init["growth_interval"])) {
    return "a growth interval that is no integer";
  }
  if (!recorded["init_expect"]["ok"].get<bool>()) return {};  // no call was made
  for (const json& step : recorded["calls"]) {
    const std::string what = step["do"];
    const json& expect = step["expect"];
    const std::string type = expect.value("error_type", "");
    if (type == "AttributeError" || type == "TypeError" ||
        (step.contains("new_scale") && step["new_scale"].contains("str")))
      return "an argument or attribute of another Python type";
    if (what == "load_state_dict" && step.contains("state") && !step["state"].empty() && step["state"].size() < 5) {
      return "a state dict that lacks a field";
    }
    if (what == "scale" && step["x"].dump().find("\"py\"") != std::string::npos) return "a loss that is no tensor";
    if (what == "step" && step.contains("closure")) return "closures";
    if (what == "check_inf" || what == "touch") return "private methods";
    if (what == "set" && step["what"] == "growth_interval" && !whole(step["value"])) {
      return "a growth interval that is no integer";
    }
    if (what == "set" && !init.value("enabled", true)) return "setters that add attributes to a disabled scaler";
  }
  return {};
}

std::string replay(const json& recorded, int& calls) {
  std::optional<Replay> running;
  std::string error;
  const auto attempt = [&error](const auto& action) -> std::string {
    error.clear();
    try {
      return action();
    } catch (const c10::Error& thrown) {
      error = thrown.what_without_backtrace();
    } catch (const std::runtime_error& thrown) {  // what c10's scalar conversion throws
      error = thrown.what();
    }
    return {};
  };
  attempt([&] { return running.emplace(recorded), std::string(); });
  const json& made = recorded["init_expect"];
  if (made["ok"].get<bool>() != error.empty() || made.value("error", "") != error) return "constructor: " + error;
  if (!running) return {};
  int index = 0;
  for (const json& step : recorded["calls"]) {
    const json& expect = step["expect"];
    const std::string where = "call " + std::to_string(index++) + " " + step["do"].get<std::string>() + ": ";
    const std::string differs = attempt([&] { return running->call(step); });
    ++calls;
    if (expect["ok"].get<bool>() != error.empty()) return where + "threw '" + error + "', recorded " + expect.dump();
    if (expect.value("error", "") != error) return where + "threw '" + error + "', recorded " + expect.dump();
    if (!differs.empty()) return where + differs + ", recorded " + expect.dump();
    if (expect.contains("after")) {
      const std::string after = running->differences(expect["after"]);
      if (!after.empty()) return where + "after it" + after + ", recorded " + expect["after"].dump();
    }
  }
  return {};
}

}  // namespace binade::test
