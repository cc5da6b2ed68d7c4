// SPDX-License-Identifier: Apache-2.0
#include "tests/autocast/region_case.h"

#include <ATen/TensorOperators.h>
#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/full.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/randn.h>

#include <stdexcept>

namespace binade::test {

namespace {

at::Tensor weights() {
  return at::randn({4, 4}).requires_grad_(true);
}
at::Tensor low() {
  return at::randn({4, 4}).to(at::kBFloat16);
}

std::string inner_exits(Form form) {
  const at::Tensor x = low();
  const at::Tensor w = weights();
  return text(casts_of([&] {
    const autocast::Region outer = open(form);
    {
      const autocast::Region inner = open(form);
      at::mm(x, w);
    }
    { const autocast::Region inner = open(form, {}, false); }
    at::mm(x, w);
  }));
}

std::string three_regions(Form form) {
  const at::Tensor x = low();
  const at::Tensor w = weights();
  return text(casts_of([&] {
    for (int i = 0; i < 3; ++i) {
      const autocast::Region region = open(form);
      at::mm(x, w);
    }
  }));
}

/// Two regions in one that does nothing but keep the cache.
std::string kept_by(Form form, const char* device) {
  const at::Tensor x = low();
  const at::Tensor w = weights();
  return text(casts_of([&] {
    const autocast::Region outer(device, std::nullopt, /*enabled=*/false);
    for (int i = 0; i < 2; ++i) {
      const autocast::Region inner = open(form);
      at::mm(x, w);
    }
  }));
}

std::string foreign_copy(Form form) {
  const at::Tensor x = at::randn({4, 4});
  const at::Tensor w = weights();
  const autocast::Region outer = open(form, at::kBFloat16);
  at::mm(x, w);
  const autocast::Region inner = open(form, at::kHalf);
  try {
    at::mm(x, w);
  } catch (const c10::Error& error) {
    return std::string("!RuntimeError: ") + error.what_without_backtrace();
  }
  return "no error";
}

std::string foreign_copies(Form form, std::optional<bool> cache_enabled) {
  const at::Tensor w = weights();
  const autocast::Region outer = open(form, at::kBFloat16);
  at::mm(w, w);
  const autocast::Region inner = open(form, at::kHalf, true, cache_enabled);
  return text(at::mm(w, w).scalar_type());
}

float corner(const at::Tensor& x, const at::Tensor& w) {
  return at::mm(x, w)[0][0].item<float>();
}

std::string number(float value) {
  return std::to_string(static_cast<int>(value)) + ".0";
}

std::string stale_after_update(Form form) {
  const at::Tensor x = at::eye(4);
  const at::Tensor w = at::full({4, 4}, 2.0F).requires_grad_(true);
  std::string first;
  std::string second;
  {
    const autocast::Region region = open(form);
    first = number(corner(x, w));
    {
      const at::NoGradGuard no_grad;
      w.mul_(3);
    }
    second = number(corner(x, w));
  }
  const autocast::Region region = open(form);
  return tuple(first, second, number(corner(x, w)));
}

std::string stale_after_swap(Form form) {
  const at::Tensor x = at::eye(4);
  const at::Tensor w = at::full({4, 4}, 2.0F).requires_grad_(true);
  const autocast::Region region = open(form);
  const std::string first = number(corner(x, w));
  w.set_data(at::full({4, 4}, 6.0F));
  return tuple(first, number(corner(x, w)));
}

/// The kept cast's history leads to the tensor's gradient accumulator, which holds it.
std::string dropped_inside(Form form) {
  at::Tensor w = weights();
  const c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl> watch(w.getIntrusivePtr());
  const autocast::Region region = open(form);
  at::mm(low(), w);
  w = at::Tensor();
  return text(watch.expired());
}

std::string cleared(Form form) {
  const at::Tensor x = low();
  const at::Tensor w = weights();
  return text(casts_of([&] {
    const autocast::Region region = open(form);
    at::mm(x, w);
    autocast::clear_cache();
    at::mm(x, w);
  }));
}

std::string exception_restores(Form form) {
  try {
    const autocast::Region region = open(form);
    throw std::runtime_error("leaves the region");
  } catch (const std::runtime_error&) {
  }
  const int inside = at::autocast::increment_nesting();
  const int outside = at::autocast::decrement_nesting();
  return tuple(autocast::is_enabled("cpu"), inside, outside);
}

std::string wrapped(Form form) {
  const auto asks = [] { return autocast::is_enabled("cpu"); };
  bool inside = false;
  if (form == Form::kNative) {
    inside = autocast::wrap(autocast::RegionArguments{"cpu"}, asks)();
  } else {
    policy::Policy policy;
    policy.base = policy::Base::kCpuAmp;
    policy.low = formats::kBFloat16;
    inside = autocast::wrap(autocast::PolicyRegionArguments{autocast::table_for(policy), "cpu"}, asks)();
  }
  return tuple(inside, autocast::is_enabled("cpu"));
}

std::string cache_flag(Form form) {
  bool outer_flag = true;
  bool inner_flag = true;
  bool after_inner = true;
  {
    const autocast::Region outer = open(form, {}, true, false);
    outer_flag = autocast::is_cache_enabled();
    {
      const autocast::Region inner = open(form);
      inner_flag = autocast::is_cache_enabled();
    }
    after_inner = autocast::is_cache_enabled();
  }
  return tuple(outer_flag, inner_flag, after_inner, autocast::is_cache_enabled());
}

std::string dtype_inherited(Form form) {
  at::ScalarType inside = at::kFloat;
  {
    const autocast::Region outer = open(form, at::kHalf);
    const autocast::Region inner = open(form);
    inside = autocast::dtype("cpu");
  }
  return tuple(inside, autocast::dtype("cpu"));
}

std::string disabled_sets_dtype(Form form) {
  const autocast::Region region = open(form, at::kHalf, false);
  return tuple(autocast::dtype("cpu"), autocast::is_enabled("cpu"));
}

}  // namespace

const std::vector<RegionCase>& nesting_cases() {
  static const std::vector<RegionCase> cases = {
      {"inner exits do not clear", &inner_exits},
      {"3 separate outermost regions", &three_regions},
      {"outer cuda(enabled=False) keeps cpu cache alive", [](Form form) { return kept_by(form, "cuda"); }},
      {"outer cpu(enabled=False) keeps cache alive", [](Form form) { return kept_by(form, "cpu"); }},
      {"bf16 cached then nested fp16 region, same weight", &foreign_copy},
      {"same, both args cached weight mm(w,w)", [](Form form) { return foreign_copies(form, std::nullopt); }},
      {"same with inner cache_enabled=False", [](Form form) { return foreign_copies(form, false); }},
      {"stale cache after in-place weight update in region", &stale_after_update},
      {"stale cache after .data swap", &stale_after_swap},
      {"python weakref dead inside region? (cached cast holds grad_fn->AccumulateGrad->param)", &dropped_inside},
      {"explicit clear_autocast_cache", &cleared},
      {"exception restores", &exception_restores},
      {"decorator", &wrapped},
      {"cache flag inherit/restore", &cache_flag},
      {"inner dtype None inherits current", &dtype_inherited, false},
      {"enabled=False still sets dtype", &disabled_sets_dtype, false},
  };
  return cases;
}

}  // namespace binade::test
