// SPDX-License-Identifier: Apache-2.0
#include "tests/scaler/golden_parts.h"

#include <ATen/core/jit_type.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>

#include <cmath>

namespace binade::test {

namespace {

/// A row that only says whether the constructor takes the options.
GoldenRow taken(const Options& options) {
  return {[options] { return GradScaler(upstream(options)), Numbers{}; }};
}

GoldenRow scaled(const at::Tensor& x) {
  return {[x] {
    GradScaler scaler(upstream({.init_scale = 4}));
    const at::Tensor y = scaler.scale(x);
    return flat(y);
  }};
}

/// update() with something after a first step; then scale, tracker and the number of entries.
GoldenRow updated(const std::function<void(GradScaler&)>& update) {
  return {[update] {
    Scene scene;
    scene.scaler.step(scene.optimizer);
    update(scene.scaler);
    return Numbers{scene.scale(), 0, scene.scaler.stage(scene.optimizer) ? 1.0 : 0.0};
  }};
}

GradScaler::StateDict dictOf(const std::vector<std::pair<std::string, double>>& entries) {
  GradScaler::StateDict dict(c10::StringType::get(), c10::AnyType::get());
  for (const auto& [key, value] : entries) {
    if (key == "growth_interval" || key == "_growth_tracker") {
      dict.insert(key, static_cast<std::int64_t>(value));
    } else {
      dict.insert(key, value);
    }
  }
  return dict;
}

Numbers numbersOf(const GradScaler::StateDict& state) {
  Numbers numbers;
  for (const auto& entry : state) numbers.push_back(entry.value().toScalar().toDouble());
  return numbers;
}

void addConstructors(GoldenRows& rows) {
  const auto row = [&rows](const char* name) -> GoldenRow& { return rows[{"ctor", name}]; };
  row("defaults") = {[] {
    const GradScaler scaler;
    return Numbers{scaler.get_scale(), scaler.get_growth_factor(), scaler.get_backoff_factor(),
                   static_cast<double>(scaler.get_growth_interval()), scaler.is_enabled() ? 1.0 : 0.0};
  }};
  row("ctor {'growth_factor': 1.0}") = taken({.growth_factor = 1});
  row("ctor {'growth_factor': 0.5}") = taken({.growth_factor = 0.5});
  row("ctor {'backoff_factor': 1.0}") = taken({.backoff_factor = 1});
  row("ctor {'backoff_factor': 2.0}") = taken({.backoff_factor = 2});
  row("ctor {'backoff_factor': 0.0}") = taken({.backoff_factor = 0});
  row("ctor {'backoff_factor': -1.0}") = taken({.backoff_factor = -1});
  row("ctor {'init_scale': 0.0}") = taken({.init_scale = 0});
  row("ctor {'init_scale': -1.0}") = taken({.init_scale = -1});
  row("ctor {'init_scale': inf}") = taken({.init_scale = INFINITY});
  row("ctor {'growth_interval': 0}") = taken({.growth_interval = 0});
  row("ctor {'growth_interval': -3}") = taken({.growth_interval = -3});
  row("ctor {'growth_factor': 1.0, 'enabled': False}") = taken({.growth_factor = 1, .enabled = false});
  row("ctor {'growth_factor': nan}") = taken({.growth_factor = NAN});
  row("ctor {'backoff_factor': nan}") = taken({.backoff_factor = NAN});
  const auto cuda = [](Options options) {
    options.device = c10::kCUDA;
    return GoldenRow{[options] { return Numbers{GradScaler(upstream(options)).is_enabled() ? 1.0 : 0.0}; }};
  };
  row("cuda unavailable") = cuda({});
  row("cuda unavailable bad factor (disabled first)") = cuda({.growth_factor = 0.5});
  row("default device") = {[] { return GradScaler(upstream()), Numbers{}; }, "", "C++ has no default device"};
  row("bogus device") = {[] { return Numbers{c10::Device("bogus").is_cpu() ? 1.0 : 0.0}; }, "",
                         "an unknown device is refused"};
  row("deprecated cpu cls") = {[] { return Numbers{GradScaler(upstream()).is_enabled() ? 1.0 : 0.0}; },
                               "there is one class, and nothing to warn of"};
}

void addScale(GoldenRows& rows) {
  const auto row = [&rows](const char* name) -> GoldenRow& { return rows[{"scale()", name}]; };
  row("0-dim f32") = scaled(at::ones({}));
  row("0-dim f16") = scaled(at::ones({}, at::kHalf));
  row("1-dim f16") = scaled(at::ones({1}, at::kHalf));
  row("0-dim bf16") = scaled(at::ones({}, at::kBFloat16));
  row("1-dim bf16") = scaled(at::ones({1}, at::kBFloat16));
  row("0-dim f64") = scaled(at::ones({}, at::kDouble));
  row("int") = scaled(at::ones({1}, at::kLong));
  row("complex") = {[] {
    GradScaler scaler(upstream({.init_scale = 4}));
    const auto value = scaler.scale(at::ones({1}, at::kComplexFloat)).item().toComplexDouble();
    return Numbers{value.real(), value.imag()};
  }};
  row("1-dim f16 overflow 65504*4") = scaled(at::full({1}, 65504, at::kHalf));
  row("list") = {[] {
    GradScaler scaler(upstream({.init_scale = 4}));
    const auto list = scaler.scale(std::vector<at::Tensor>{at::ones({1}), at::ones({1}, at::kHalf)});
    return flat(list[0], list[1]);
  }};
  row("tuple nested") = {[] {
    GradScaler scaler(upstream({.init_scale = 4}));
    const auto [one, rest] = scaler.scale(std::tuple{at::ones({1}), std::vector<at::Tensor>{at::ones({1})}});
    return flat(one, rest[0]);
  }};
  const std::string lazy = "a range is scaled at once: C++ has no lazy map";
  row("generator") = {[] { return Numbers{}; }, lazy};
  row("empty list leaves scale None") = {[] {
    GradScaler scaler(upstream());
    scaler.scale(std::vector<at::Tensor>{});
    if (scaler.scale_tensor().defined()) return Numbers{1};
    return Numbers{};
  }};
  row("dict (iterates keys, lazily)") = {[] { return Numbers{}; }, "a dict's values are scaled, not its keys"};
  row("python float") = {[] { return GradScaler(upstream()).scale(c10::IValue(1.0)), Numbers{}; }};
  row("None") = {[] { return GradScaler(upstream()).scale(c10::IValue()), Numbers{}; }};
  row("namedtuple") = {[] {
                         const auto type =
                             c10::TupleType::createNamed(c10::QualifiedName("NT"), std::vector<std::string>{"a", "b"},
                                                         {c10::TensorType::get(), c10::TensorType::get()});
                         GradScaler(upstream())
                             .scale(c10::IValue(c10::ivalue::Tuple::createNamed({at::ones({1}), at::ones({1})}, type)));
                         return Numbers{};
                       },
                       "", "a named tuple is rebuilt as what it was"};
}

void addScaleState(GoldenRows& rows) {
  const auto row = [&rows](const char* name) -> GoldenRow& { return rows[{"scale()", name}]; };
  row("disabled returns same obj") = {[] {
    const at::Tensor loss = at::ones({});
    return Numbers{GradScaler(upstream({.enabled = false})).scale(loss).is_same(loss) ? 1.0 : 0.0};
  }};
  row("scale tensor shape/dtype/device + tracker") = {[] {
    GradScaler scaler(upstream());
    scaler.scale(at::ones({}));
    const bool right = scaler.scale_tensor().dim() == 0 && scaler.scale_tensor().scalar_type() == at::kFloat &&
                       scaler.growth_tracker_tensor().dim() == 0 &&
                       scaler.growth_tracker_tensor().scalar_type() == at::kInt;
    return right ? Numbers{scaler.get_scale()} : Numbers{};
  }};
  row("get_scale before init") = {[] { return Numbers{GradScaler(upstream({.init_scale = 3})).get_scale()}; }};
  row("type(get_scale()) before init with int") = {[] { return Numbers{}; }, "a scale is a double from the start"};
  row("disabled get_scale") = {[] { return Numbers{GradScaler(upstream({.enabled = false})).get_scale()}; }};
  row("disabled get_growth_factor") = {
      [] { return Numbers{GradScaler(upstream({.enabled = false})).get_growth_factor()}; }, "",
      "a disabled scaler knows the settings it was given"};
  row("disabled state_dict") = {[] { return numbersOf(GradScaler(upstream({.enabled = false})).state_dict()); }};
  row("disabled _get_growth_tracker") = {
      [] { return Numbers{static_cast<double>(GradScaler(upstream({.enabled = false})).get_growth_tracker())}; }};
  row("init_scale non f32-representable") = {[] {
    GradScaler scaler(upstream({.init_scale = 0.1}));
    scaler.scale(at::ones({}));
    return Numbers{scaler.scale_tensor().item<double>(), scaler.get_scale()};
  }};
}

void addNewScale(GoldenRows& rows) {
  const auto row = [&rows](const char* name) -> GoldenRow& { return rows[{"new_scale", name}]; };
  row("update(2.0)") = updated([](GradScaler& scaler) { scaler.update(2.0); });
  row("update(int 2)") = {updated([](GradScaler& scaler) { scaler.update(2); }).run, "",
                          "the error is ours: an int has no device to speak of"};
  row("update(tensor 0-d)") = updated([](GradScaler& scaler) { scaler.update(at::full({}, 3.0F)); });
  row("update(tensor [1])") = updated([](GradScaler& scaler) { scaler.update(at::full({1}, 3.0F)); });
  row("update(tensor f64)") = updated([](GradScaler& scaler) { scaler.update(at::full({1}, 3, at::kDouble)); });
  row("update(tensor int)") = updated([](GradScaler& scaler) { scaler.update(at::full({1}, 3, at::kLong)); });
  row("update(tensor 2-elem)") = updated([](GradScaler& scaler) { scaler.update(at::full({2}, 3.0F)); });
  row("update(tensor requires_grad)") =
      updated([](GradScaler& scaler) { scaler.update(at::full({}, 3.0F).set_requires_grad(true)); });
  row("update(tensor meta)") =
      updated([](GradScaler& scaler) { scaler.update(at::ones({}, at::TensorOptions().device(at::kMeta))); });
  row("update(0.0)") = updated([](GradScaler& scaler) { scaler.update(0.0); });
  row("update(inf)") = updated([](GradScaler& scaler) { scaler.update(static_cast<double>(INFINITY)); });
  row("update(str)") = {[] { return Numbers{}; }, "", "the compiler refuses it"};
  row("update(2.0) before scale()") = {[] { return GradScaler(upstream()).update(2.0), Numbers{}; }};
  row("update(2.0) with no step") = {[] {
    Scene scene;
    scene.scaler.update(2.0);
    return Numbers{scene.scale()};
  }};
}

void addStateDicts(GoldenRows& rows) {
  const auto row = [&rows](const char* name) -> GoldenRow& { return rows[{"state_dict / pickle", name}]; };
  const auto stepped = [] {
    Scene scene({4, 4}, {.init_scale = 4, .growth_interval = 5});
    scene.scaler.step(scene.optimizer);
    scene.scaler.update();
    return scene.scaler.state_dict();
  };
  const std::vector<std::pair<std::string, double>> full{
      {"scale", 9}, {"growth_factor", 2}, {"backoff_factor", 0.5}, {"growth_interval", 7}, {"_growth_tracker", 3}};
  row("state_dict keys before init") = {
      [] { return numbersOf(GradScaler(upstream({.init_scale = 3, .growth_interval = 7})).state_dict()); }};
  row("state_dict after 1 step") = {[stepped] { return numbersOf(stepped()); }};
  row("load empty") = {[] { return GradScaler(upstream()).load_state_dict(dictOf({})), Numbers{}; }};
  row("load empty into disabled") = {
      [] { return GradScaler(upstream({.enabled = false})).load_state_dict(dictOf({})), Numbers{}; }};
  row("load missing key") = {[] {
                               return GradScaler(upstream()).load_state_dict(dictOf({{"scale", 9}})), Numbers{};
                             },
                             "", "the error says what the key is missing from"};
  row("load extra keys") = {[full] {
    auto more = full;
    more.emplace_back("z", 1);
    return GradScaler(upstream()).load_state_dict(dictOf(more)), Numbers{};
  }};
  row("load unvalidated growth_factor") = {[full] {
    auto wrong = full;
    wrong[1].second = 0.1;
    GradScaler scaler(upstream());
    scaler.load_state_dict(dictOf(wrong));
    return Numbers{scaler.get_growth_factor()};
  }};
  row("load before lazy init") = {[stepped] {
    GradScaler scaler(upstream());
    scaler.load_state_dict(stepped());
    Numbers numbers{scaler.get_scale(), static_cast<double>(scaler.get_growth_tracker())};
    scaler.scale(at::ones({}));
    add(numbers, scaler.scale_tensor());
    add(numbers, scaler.growth_tracker_tensor());
    return numbers;
  }};
  row("load after lazy init (in place fill)") = {[full] {
    GradScaler scaler(upstream());
    scaler.scale(at::ones({}));
    const at::Tensor before = scaler.scale_tensor();
    scaler.load_state_dict(dictOf(full));
    Numbers numbers{scaler.scale_tensor().is_same(before) ? 1.0 : 0.0};
    add(numbers, scaler.scale_tensor());
    add(numbers, scaler.growth_tracker_tensor());
    return numbers;
  }};
}

void addCopies(GoldenRows& rows) {
  const auto row = [&rows](const char* name) -> GoldenRow& { return rows[{"state_dict / pickle", name}]; };
  row("pickle mid iteration") = {[] {
    Scene scene;
    scene.scaler.unscale_(scene.optimizer);
    return scene.scaler.copy(), Numbers{};
  }};
  row("pickle after update") = {[] {
    Scene scene;
    scene.scaler.step(scene.optimizer);
    scene.scaler.update();
    const GradScaler copy = scene.scaler.copy();
    if (copy.scale_tensor().defined()) return Numbers{};
    return Numbers{copy.get_scale(), static_cast<double>(copy.get_growth_tracker())};
  }};
  row("pickle disabled") = {
      [] { return Numbers{GradScaler(upstream({.enabled = false})).copy().is_enabled() ? 1.0 : 0.0}; }};
  row("deepcopy") = {[] { return Numbers{GradScaler(upstream({.init_scale = 5})).copy().get_scale()}; }};
  row("merely touching defaultdict blocks pickle") = {[] {
                                                        Scene scene;
                                                        scene.scaler.found_inf(scene.optimizer);
                                                        return scene.scaler.copy(), Numbers{};
                                                      },
                                                      "", "looking at an optimizer's found_inf makes no entry"};
}

}  // namespace

void addSettings(GoldenRows& rows) {
  addConstructors(rows);
  addScale(rows);
  addScaleState(rows);
  addNewScale(rows);
  addStateDicts(rows);
  addCopies(rows);
}

}  // namespace binade::test
