// SPDX-License-Identifier: Apache-2.0
#pragma once

// Names of the CUPTI functions used. Needs no CUPTI headers, so that a test's stand-in can define functions of these
// names with its own signatures.
// clang-format off
#define BINADE_CUPTI_FUNCTIONS(X)                                                                                      \
  X(cuptiGetVersion) X(cuptiGetResultString) X(cuptiGetTimestamp)                                                      \
  X(cuptiSubscribe_v2) X(cuptiUnsubscribe)                                                                             \
  X(cuptiActivityRegisterCallbacks) X(cuptiActivityEnable) X(cuptiActivityDisable)                                     \
  X(cuptiActivityEnableRuntimeApi) X(cuptiActivityEnableDriverApi) X(cuptiActivityFlushAll)                            \
  X(cuptiActivityGetNextRecord) X(cuptiActivityGetNumDroppedRecords)                                                   \
  X(cuptiActivityPushExternalCorrelationId) X(cuptiActivityPopExternalCorrelationId)                                   \
  X(cuptiProfilerInitialize) X(cuptiProfilerDeviceSupported) X(cuptiDeviceGetChipName)                                 \
  X(cuptiProfilerHostInitialize) X(cuptiProfilerHostDeinitialize) X(cuptiProfilerHostGetSupportedChips)                \
  X(cuptiProfilerHostGetBaseMetrics) X(cuptiProfilerHostConfigAddMetrics) X(cuptiProfilerHostGetConfigImageSize)       \
  X(cuptiProfilerHostGetConfigImage) X(cuptiProfilerHostGetNumOfPasses) X(cuptiProfilerHostEvaluateToGpuValues)        \
  X(cuptiPmSamplingGetCounterAvailability) X(cuptiPmSamplingEnable) X(cuptiPmSamplingDisable)                          \
  X(cuptiPmSamplingSetConfig) X(cuptiPmSamplingStart) X(cuptiPmSamplingStop) X(cuptiPmSamplingDecodeData)              \
  X(cuptiPmSamplingGetCounterDataSize) X(cuptiPmSamplingCounterDataImageInitialize)                                    \
  X(cuptiPmSamplingGetCounterDataInfo) X(cuptiPmSamplingCounterDataGetSampleInfo)
// clang-format on
