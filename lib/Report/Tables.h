//===- Report/Tables.h - The tables of a report -----------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the writers of a report share: the same tables are in its text, on its
// page and in its JSON. Rows that are there in rare links only are left out for
// people if they are empty; programs always get them.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_REPORT_TABLES_H
#define THERMOCLINE_LIB_REPORT_TABLES_H

#include "thermocline/Report/Writers.h"
#include "thermocline/Support/Tools/Table.h"

namespace thermocline::report {

/// Contexts by what they were profiled and are hinted.
Table contextsTable(const ReportModel &Model, Audience For);
/// What of the profile is in the link.
Table coverageTable(const ProfileCoverage &Coverage, Audience For);
/// What is in another binary.
Table elsewhereTable(const BinaryShare &Other);
/// Why contexts are not in the link, and in which files of machine code.
Table lossTable(const ProfileCoverage &Coverage);
Table machineCodeTable(const ProfileCoverage &Coverage);
/// The prediction of a model that has one.
Table workingSetTable(const ReportModel &Model);
/// Hinted calls by their kind.
Table hintsTable(const ReportModel &Model);
/// Why cold contexts of the link have no hint.
Table reasonsTable(const ReportModel &Model);
/// A row for each context.
Table contextList(const ReportModel &Model);

} // namespace thermocline::report

#endif
