// SPDX-License-Identifier: Apache-2.0
#include "tests/targets/lists.h"

#include "engine/formats/error.h"
#include "tests/targets/assigned.h"

#include <algorithm>

namespace binade::test {

using policy::Base;
using policy::Policy;
using policy::Treatment;
using targets::Finding;
using targets::Read;
using targets::Written;

Policy plainLists() {
  Policy policy = startingFrom(Base::kAllFloat32, formats::kBFloat16);
  for (const char* op : {"aten::conv2d", "aten::linear", "aten::matmul"}) policy.ops[op] = Treatment::kLow;
  for (const char* op : {"aten::softmax", "aten::sum"}) policy.ops[op] = formats::kFloat32;
  return policy;
}

std::string textBy(const char* target, const Policy& policy) {
  return targetOf(target).write(assigned(policy)).text;
}

Read readBy(const char* target, const std::string& text) {
  return targetOf(target).read(text, "list.txt", assigned(Policy{}));
}

std::string refusalBy(const char* target, const std::string& text) {
  try {
    readBy(target, text);
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool cannotSay(const Written& written, const char* part, const char* site) {
  return std::any_of(written.findings.begin(), written.findings.end(), [&](const Finding& finding) {
    return finding.kind == Finding::Kind::kInexpressible && mentions(finding.message, part) &&
           std::find(finding.sites.begin(), finding.sites.end(), site) != finding.sites.end();
  });
}

}  // namespace binade::test
