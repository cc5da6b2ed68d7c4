// SPDX-License-Identifier: Apache-2.0
// CMake compiles headers for a target's sources only, and a target wants one.
