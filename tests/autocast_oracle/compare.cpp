// SPDX-License-Identifier: Apache-2.0
#include "tests/autocast_oracle/compare.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/view_as_real.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <regex>
#include <sstream>

namespace binade::test {

using nlohmann::json;

namespace {

std::string text(at::IntArrayRef shape) {
  std::ostringstream out;
  out << shape;
  return out.str();
}

/// `torch.DoubleTensor`, `torch.cuda.DoubleTensor` and `CPUDoubleType` are one name.
std::string withoutTypeNames(const std::string& error) {
  static const std::regex python("torch\\.(cuda\\.)?([A-Z][A-Za-z0-9]*)Tensor");
  static const std::regex cpp("(CPU|CUDA|Meta)([A-Z][A-Za-z0-9]*)Type");
  return std::regex_replace(std::regex_replace(error, python, "<$2>"), cpp, "<$2>");
}

std::string differenceOfErrors(const std::string& type, const std::string& error, const Answer& answer) {
  if (answer.error_type != type) return answer.error_type + " (" + answer.error + ") in place of " + type;
  if (withoutTypeNames(answer.error) != withoutTypeNames(error)) {
    return "error \"" + answer.error + "\" in place of \"" + error + "\"";
  }
  return {};
}

/// Where the values of a tensor are not those of the row.
std::string differenceOfValues(const json& values, const at::Tensor& tensor) {
  const at::Tensor wide = tensor.detach().to(at::kCPU).to(at::kDouble).contiguous().flatten();
  if (wide.numel() != static_cast<std::int64_t>(values.size())) return "another number of values";
  const double* got = wide.const_data_ptr<double>();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double expected = values[i].is_string() ? std::stod(values[i].get<std::string>()) : values[i].get<double>();
    if (got[i] == expected || (std::isnan(got[i]) && std::isnan(expected))) continue;
    std::ostringstream out;
    out.precision(17);
    out << "value " << i << " is " << got[i] << " in place of " << expected;
    return out.str();
  }
  return {};
}

}  // namespace

std::string difference(const json& result, const Answer& answer, const Compare& what) {
  const bool ok = result["ok"].get<bool>();
  if (ok != answer.ok) {
    return ok ? "fails: " + answer.error : "succeeds, where PyTorch says: " + result["error"].get<std::string>();
  }
  if (!ok) {
    return what.error_text ? differenceOfErrors(result["error_type"], result["error"], answer) : std::string();
  }
  std::vector<const json*> expected;
  for (const json& out : result["out"]) {
    if (out.contains("dtype")) expected.push_back(&out);
  }
  const std::vector<at::Tensor> got = tensorsIn(answer.results);
  if (got.size() != expected.size()) {
    return std::to_string(got.size()) + " tensors in place of " + std::to_string(expected.size());
  }
  for (std::size_t i = 0; i < got.size(); ++i) {
    const json& out = *expected[i];
    const std::string where = "result " + std::to_string(i) + ": ";
    if (nameOf(got[i].scalar_type()) != out["dtype"].get<std::string>()) {
      return where + nameOf(got[i].scalar_type()) + " in place of " + out["dtype"].get<std::string>();
    }
    const auto shape = out["shape"].get<std::vector<std::int64_t>>();
    if (what.shapes && got[i].sizes() != at::IntArrayRef(shape)) {
      return where + "shape " + text(got[i].sizes()) + " in place of " + text(shape);
    }
    if (!out.contains("values")) continue;
    if (std::string values = differenceOfValues(out["values"], got[i]); !values.empty()) return where + values;
  }
  return {};
}

std::string difference(const Answer& expected, const Answer& answer, std::size_t results) {
  if (expected.ok != answer.ok) return expected.ok ? "fails: " + answer.error : "succeeds, not: " + expected.error;
  if (!expected.ok) return differenceOfErrors(expected.error_type, expected.error, answer);
  const std::vector<at::Tensor> a = tensorsIn(expected.results);
  const std::vector<at::Tensor> b = tensorsIn(answer.results);
  if (a.size() != b.size()) return "another number of results";
  for (std::size_t i = 0; i < std::min(a.size(), results); ++i) {
    if (!sameBits(a[i], b[i])) return "result " + std::to_string(i) + " differs";
  }
  return {};
}

bool hasNames(const json& row) {
  return row["args"].dump().find("\"names\"") != std::string::npos;
}

bool sameBits(const at::Tensor& a, const at::Tensor& b) {
  if (a.defined() != b.defined()) return false;
  if (!a.defined()) return true;
  if (a.scalar_type() != b.scalar_type() || a.sizes() != b.sizes() || a.layout() != b.layout()) return false;
  if (a.layout() != at::kStrided) return sameBits(a.to_dense(), b.to_dense());
  if (a.is_complex()) {
    const auto real = [](const at::Tensor& t) {
      const at::Tensor single = t.scalar_type() == at::kComplexHalf ? t.to(at::kComplexFloat) : t;
      return at::view_as_real(single.resolve_conj());
    };
    return sameBits(real(a), real(b));
  }
  const auto plain = [](const at::Tensor& tensor) {
    const at::Tensor unnamed = tensor.has_names() ? tensor.detach().rename(std::nullopt) : tensor.detach();
    return unnamed.to(at::kCPU).contiguous().flatten();
  };
  const at::Tensor x = plain(a);
  const at::Tensor y = plain(b);
  const auto size = static_cast<std::size_t>(x.nbytes());
  if (size == 0 || std::memcmp(x.const_data_ptr(), y.const_data_ptr(), size) == 0) return true;
  if (!a.is_floating_point()) return false;
  // A NaN has many bit patterns, and the sign of one is not defined.
  const at::Tensor p = x.to(at::kDouble);
  const at::Tensor q = y.to(at::kDouble);
  return p.eq(q)
      .logical_and_(p.signbit().eq(q.signbit()))
      .logical_or_(p.isnan().logical_and_(q.isnan()))
      .all()
      .item<bool>();
}

}  // namespace binade::test
