// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/host/serve/request_failure.h"
#include "tests/support/suite.h"

#include <ATen/ops/empty.h>

#include <functional>
#include <new>
#include <stdexcept>

using namespace binade;

namespace {

wire::Failure failureOf(const std::function<void()>& request) {
  try {
    request();
  } catch (...) {
    return host::current_failure();
  }
  return {};
}

int codeOf(ErrorCode code) {
  return static_cast<int>(code) + 1;
}

}  // namespace

class RequestFailures : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  /// The CPU's allocator throws a plain error of LibTorch's.
  void aTensorThatDoesNotFitIsNoFaultOfOurs() {
    const auto tensor = failureOf([] { at::empty({std::int64_t{1} << 50}); });
    const auto plain = failureOf([] { throw std::bad_alloc(); });
    for (const wire::Failure& failure : {tensor, plain}) {
      QCOMPARE(failure.code, codeOf(ErrorCode::kOutOfMemory));
      QVERIFY2(failure.message.starts_with("Out of memory: "), failure.message.c_str());
      QCOMPARE(failure.hint, std::string("Use a smaller batch or model."));
    }
    QVERIFY2(tensor.message.find("DefaultCPUAllocator") != std::string::npos, tensor.message.c_str());
    QVERIFY2(tensor.message.find('\n') == std::string::npos, tensor.message.c_str());
  }

  void otherErrorsStayWhatTheyAre() {
    const auto ours = failureOf([] { throw Error(ErrorCode::kBadPolicy, "ours", "its hint"); });
    QCOMPARE(ours.code, codeOf(ErrorCode::kBadPolicy));
    QCOMPARE(ours.hint, std::string("its hint"));
    const auto fault = failureOf([] { throw std::runtime_error("odd"); });
    QCOMPARE(fault.code, codeOf(ErrorCode::kInternal));
    QCOMPARE(fault.message, std::string("odd"));
    QVERIFY2(fault.hint.find("report it") != std::string::npos, fault.hint.c_str());
    QCOMPARE(failureOf([] { throw host::BadParams{{7, "bad", "mend"}}; }).code, 7);
  }
};

BINADE_SUITE(RequestFailures);
#include "tst_request_failure.moc"
